// The extension as a user sees it: squiggles, hover, light bulb, completion, fix on save, status bar, messages about a server that
// is missing, broken or of another release.
//
//   node vscode/ui.mjs RUN_SERVER VSIX SERVER [SHOTS]
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { brokenPack, EXTRA, ORDER, ORDER_FIXED } from '../lib/packs.mjs';
import { log, sleep, STATUS, until, VSCode } from './harness.mjs';

const [runServer, vsix, server, shots = fs.mkdtempSync('/tmp/amp-shots-')] = process.argv.slice(2);
const toy = path.resolve(import.meta.dirname, '../lib/toy-lsp.mjs');
const real = path.resolve(server) !== toy;
fs.mkdirSync(shots, { recursive: true });

// --- what is on the screen -----------------------------------------------------------------------------------------------

const shot = (page, name) => page.screenshot({ path: path.join(shots, `${name}.png`) });

/** The rectangles of a text in the editor, and of the squiggles of a kind. */
function rectangles(page, text, squiggle) {
  return page.evaluate(([text, squiggle]) => {
    const box = (r) => ({ left: r.left, right: r.right, top: r.top, bottom: r.bottom });
    const flat = (s) => s.replace(/\u00a0/g, ' ');
    for (const line of document.querySelectorAll('.monaco-editor .view-line')) {
      const at = flat(line.textContent).indexOf(text.line);
      if (at !== 0) continue;
      const from = text.line.indexOf(text.part);
      const range = document.createRange();
      const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
      let seen = 0;
      for (let node; (node = walker.nextNode()); seen += node.data.length) {
        const local = from - seen;
        if (local >= 0 && local < node.data.length) range.setStart(node, local);
        const end = local + text.part.length;
        if (end > 0 && end <= node.data.length) { range.setEnd(node, end); break; }
      }
      return { text: box(range.getBoundingClientRect()), squiggles: [...document.querySelectorAll(`.monaco-editor .${squiggle}`)].map((e) => box(e.getBoundingClientRect())) };
    }
    return undefined;
  }, [text, squiggle]);
}

/** Waits for a squiggle that stands under exactly these characters. */
async function squiggleUnder(page, line, part) {
  let last;
  await until(`a squiggle under “${part}”`, async () => {
    last = await rectangles(page, { line, part }, 'squiggly-error');
    return last?.squiggles.some((s) => Math.abs(s.left - last.text.left) < 1.5 && Math.abs(s.right - last.text.right) < 1.5 && s.bottom > last.text.top && s.top < last.text.bottom);
  }).catch((e) => { throw new Error(`${e.message}: ${JSON.stringify(last)}`); });
  return last.text;
}

/** Repeats what the user does until its effect is seen: lenses and hints that arrive late move the lines under the mouse. */
async function repeat(what, act, locator, ms = 120000) {
  for (const end = Date.now() + ms; ;) {
    await act();
    if (await locator.waitFor({ timeout: 6000 }).then(() => true, () => false)) return;
    if (Date.now() > end) throw new Error(`timed out: ${what}`);
    log(`# again: ${what}`);
  }
}

const lineWith = (page, text) => page.locator('.monaco-editor .view-line', { hasText: text.replace(/ /g, '\u00a0') }).or(page.locator('.monaco-editor .view-line', { hasText: text })).first();

async function clickMenuItem(page, item) {
  // The menu lies under a transparent element until the mouse moves.
  const box = await item.boundingBox();
  await page.mouse.move(box.x + 20, box.y + box.height / 2 - 2);
  await page.mouse.move(box.x + 40, box.y + box.height / 2, { steps: 5 });
  await page.waitForSelector('.context-view-pointerBlock', { state: 'detached', timeout: 5000 }).catch(() => {});
  await page.mouse.click(box.x + 40, box.y + box.height / 2);
}

async function command(page, name) {
  await page.keyboard.press('F1');
  const input = page.locator('.quick-input-widget input').first();
  await input.waitFor({ timeout: 15000 });
  await input.fill(`>${name}`);
  const row = page.locator('.quick-input-list .monaco-list-row', { hasText: name }).first();
  await row.waitFor({ timeout: 15000 });
  // Enter would take the row that has the focus, which on a slow machine is still that of an earlier list.
  await row.click();
}

const status = (page) => page.locator(STATUS);
const message = (page, text) => page.locator('.notification-list-item-message', { hasText: text }).first();
const onDisk = (file, text) => until(`“${text}” in ${path.basename(file)}`, () => fs.readFileSync(file, 'utf8').includes(text), 20000);

/** Activation time in a new window, as the editor "Running Extensions" shows it. */
async function activation(vsc, name) {
  const pack = brokenPack(vsc.p(name));
  const page = await vsc.window(pack, path.join(pack, 'agents.md'));
  await status(page).waitFor({ timeout: 120000 });
  await command(page, 'Developer: Show Running Extensions');
  const row = page.locator('.runtime-extensions-editor .extension', { hasText: 'AMP Memory Packs' });
  // The list holds only the rows in view; the quickest extensions are its last.
  await page.locator('.runtime-extensions-editor').hover();
  await until('the extension in the list', async () => {
    if (await row.count()) return true;
    await page.mouse.wheel(0, 300);
    return false;
  }, 20000);
  const took = /Activation: (\d+)ms/.exec(await row.textContent());
  assert.ok(took, await row.textContent());
  await page.context().close();
  return +took[1];
}

// --- cases ---------------------------------------------------------------------------------------------------------------

const cases = {
  async 'findings, hover, light bulb, fix'(vsc) {
    const pack = brokenPack(vsc.p('ws one'));
    const file = path.join(pack, 'memory/copy-voice.md');
    const page = await vsc.window(pack, file);
    await page.waitForSelector('[id="status.editor.mode"]:has-text("Markdown")', { timeout: 30000 });
    await squiggleUnder(page, ORDER, 'permanent');
    await lineWith(page, 'never use em dashes').click();
    for (let i = 0; i < 8; i++) await page.keyboard.press('ArrowDown'); // the second line comes into view
    if (real) await squiggleUnder(page, EXTRA, 'org'); // behind an emoji in its own line
    await until('the status bar says FAIL', async () => /AMP FAIL [12]/.test(await status(page).textContent().catch(() => '')));
    const colour = await lineWith(page, 'never use em dashes').locator('span span').evaluateAll((spans) => {
      const of = (t) => { const s = spans.find((x) => x.textContent.trim().startsWith(t)); return s && getComputedStyle(s).color; };
      return { type: of('directive'), facet: of('must'), content: of('In') };
    });
    assert.ok(colour.type && colour.type !== colour.content, `the type has a colour of its own: ${JSON.stringify(colour)}`);
    await shot(page, 'vscode-findings');

    await repeat('a hover with the finding', async () => {
      await page.mouse.move(5, 5);
      const at = await squiggleUnder(page, ORDER, 'permanent');
      await page.mouse.move(at.left + 10, (at.top + at.bottom) / 2, { steps: 4 });
    }, page.locator('.monaco-hover', { hasText: 'expected force at position 1 for directive, got permanent' }).first());
    await shot(page, 'vscode-hover');

    const bulb = page.locator('.monaco-editor [class*="codicon-light-bulb"], .monaco-editor [class*="codicon-lightbulb"], .monaco-editor [class*="codicon-gutter-lightbulb"]').first();
    const item = page.locator('.action-widget .monaco-list-row', { hasText: /Reorder/ }).first();
    await repeat('a menu with the fix under the light bulb', async () => {
      await page.keyboard.press('Escape');
      const at = await squiggleUnder(page, ORDER, 'permanent');
      await page.mouse.click(at.left + 10, (at.top + at.bottom) / 2);
      await bulb.click({ timeout: 6000 }).catch(() => {});
    }, item);
    await shot(page, 'vscode-quickfix');
    await clickMenuItem(page, item);
    await until('the text changed', async () => (await rectangles(page, { line: ORDER_FIXED, part: 'must' }, 'squiggly-error')) !== undefined);
    await until('the squiggle is gone', async () => {
      const r = await rectangles(page, { line: ORDER_FIXED, part: 'must' }, 'squiggly-error');
      return r && !r.squiggles.some((s) => s.top < r.text.bottom && s.bottom > r.text.top);
    });
    await page.keyboard.press('Control+S');
    await onDisk(file, ORDER_FIXED);
    await page.context().close();
  },

  async 'completion, fix on save, status bar'(vsc) {
    const pack = brokenPack(vsc.p('ws two'), { extra: false });
    const file = path.join(pack, 'memory/copy-voice.md');
    const text = fs.readFileSync(file, 'utf8');
    fs.mkdirSync(path.join(pack, '.vscode'));
    fs.writeFileSync(path.join(pack, '.vscode/settings.json'), JSON.stringify({ '[markdown]': { 'editor.codeActionsOnSave': { 'source.fixAll.amp': 'explicit' } } }));
    const page = await vsc.window(pack, file);
    await squiggleUnder(page, ORDER, 'permanent');

    await lineWith(page, 'never use em dashes').click();
    await page.keyboard.press('Home');
    await page.keyboard.type('\n');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.type('[');
    const suggestions = page.locator('.suggest-widget.visible .monaco-list-row');
    await suggestions.first().waitFor({ timeout: 20000 });
    const labels = (await suggestions.allTextContents()).join(' | ');
    for (const type of ['goal', 'claim', 'directive', 'demo']) assert.match(labels, new RegExp(type), labels);
    await shot(page, 'vscode-completion');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Backspace');
    // Bracket pairs are closed by the editor: whatever was added goes with the line.
    await page.keyboard.press('Control+Shift+K');

    await page.keyboard.press('Control+S');
    await onDisk(file, ORDER_FIXED);
    await page.waitForSelector('.monaco-editor .squiggly-error', { state: 'detached', timeout: 20000 });
    await until('the status bar says PASS', async () => /AMP PASS \d+/.test(await status(page).textContent().catch(() => '')));
    await status(page).hover();
    await page.waitForSelector('.monaco-hover:has-text("not signed")', { timeout: 15000 });
    await shot(page, 'vscode-status');
    assert.equal(fs.readFileSync(file, 'utf8'), text.replace(ORDER, ORDER_FIXED), 'nothing else was changed');

    await page.context().close();
  },

  async 'activation takes less than 50 ms'(vsc) {
    // A busy machine can only make it slower: the best of three windows is the extension's own time.
    const times = [];
    for (let i = 0; i < 3 && !times.some((t) => t < 50); i++) times.push(await activation(vsc, `ws act ${i}`));
    log(`activation by the extension host's figures: ${times.join(', ')} ms`);
    assert.ok(times.some((t) => t < 50), `${times}`);
  },

  async 'new pack'(vsc) {
    brokenPack(vsc.p('ws new'));
    const page = await vsc.window(vsc.p('ws new'), vsc.p('ws new/brand-voice/agents.md'));
    await status(page).waitFor({ timeout: 120000 });
    await command(page, 'AMP: New Pack');
    const input = page.locator('.quick-input-widget input').first();
    await page.locator('.quick-input-widget', { hasText: 'Lower-case' }).or(page.locator('.quick-input-widget', { hasText: 'lower-case' })).first().waitFor({ timeout: 20000 });
    await input.fill('Bad Name');
    await page.locator('.quick-input-message', { hasText: 'a letter or digit first' }).waitFor({ timeout: 10000 });
    await input.fill('team-habits');
    await page.keyboard.press('Enter');
    await page.locator('.quick-input-widget', { hasText: 'Title for people' }).waitFor({ timeout: 20000 });
    await page.keyboard.press('Enter');
    await page.waitForSelector('.tab[data-resource-name="operating-principles.md"]', { timeout: 20000 });
    await until('the new pack passes', async () => /AMP PASS 2/.test(await status(page).textContent().catch(() => '')) || !real);
    assert.equal(JSON.parse(fs.readFileSync(vsc.p('ws new/team-habits/manifest.json'), 'utf8')).title, 'team habits');
    await page.context().close();
  },

  async 'sign asks, and the status bar shows the state'(vsc) {
    if (!real) return;
    const pack = brokenPack(vsc.p('ws sign'), { extra: false });
    execFileSync(path.join(path.dirname(server), 'amp'), ['keygen'], { env: { ...process.env, HOME: vsc.home } });
    const page = await vsc.window(pack, path.join(pack, 'memory/copy-voice.md'));
    await squiggleUnder(page, ORDER, 'permanent');
    await command(page, 'AMP: Sign Pack');
    const dialog = page.locator('.monaco-dialog-box', { hasText: 'Sign the pack “brand-voice”?' });
    await dialog.waitFor({ timeout: 60000 });
    await shot(page, 'vscode-sign');
    await dialog.locator('.monaco-button', { hasText: /^Sign$/ }).click();
    const manifest = path.join(pack, 'manifest.json');
    await onDisk(manifest, '"signed": true');
    await until('a state in the status bar', async () => (await status(page).locator('.codicon-verified, .codicon-verified-filled').count()) > 0);
    // The same by the program that knows nothing of editors: 0 trusted, 3 intact under the key inside.
    const code = spawnSync(path.join(path.dirname(server), 'amp'), ['verify', pack], { env: { ...process.env, HOME: vsc.home } }).status;
    assert.ok(code === 0 || code === 3, `amp verify says ${code}`);
    await lineWith(page, 'never use em dashes').click();
    await page.keyboard.press('End');
    await page.keyboard.type(' Never.');
    await page.keyboard.press('Control+S');
    await until('stale in the status bar', async () => (await status(page).locator('.codicon-unverified').count()) > 0);
    await page.context().close();
  },

  async 'two windows at once'(vsc) {
    const packs = ['ws a ü', 'ws b 中'].map((n) => brokenPack(vsc.p(n)));
    const pages = [];
    for (const pack of packs) pages.push(await vsc.window(pack, path.join(pack, 'memory/copy-voice.md')));
    for (const page of pages) await squiggleUnder(page, ORDER, 'permanent');
    for (const page of pages) await page.context().close();
  },
};

const faults = {
  missing: { machine: { 'amp.server.path': '/no/such/amp-lsp' }, says: "amp-lsp is set to '/no/such/amp-lsp' in the settings" },
  'dies at once': { machine: { 'amp.server.path': toy, 'amp.server.arguments': ['--die'] }, says: 'amp-lsp could not be started' },
  crashes: { machine: { 'amp.server.path': toy, 'amp.server.arguments': ['--crash-on-open'] }, says: /crashed \d+ times/ },
  'of another release': { machine: { 'amp.server.path': toy, 'amp.server.arguments': ['--as', '0.9.1'] }, says: 'amp-lsp 0.9.1' },
};

let failed = 0, passed = 0;
const reasons = [];
async function run(name, vsc, f) {
  try {
    await f();
    passed++;
    log(`ok - vscode ui: ${name}`);
  } catch (e) {
    failed++;
    reasons.push(`not ok - vscode ui: ${name}: ${e.message}`);
    log(`not ok - vscode ui: ${name}\n${e.stack}`);
    for (const [i, page] of (vsc?.browser?.contexts() ?? []).flatMap((c) => c.pages()).entries()) {
      await page.screenshot({ path: path.join(shots, `fail-${name.replace(/\W+/g, '-')}-${i}.png`) }).catch(() => {});
    }
    console.log(vsc?.logs());
    for (const c of vsc?.browser?.contexts() ?? []) await c.close();
  }
}

const only = process.env.E2E_CASE;
const wanted = (name) => !only || name.includes(only);
if (Object.keys(cases).some(wanted)) {
  const vsc = await VSCode.start({ runServer, vsix });
  // Keys are made and looked for in a home of its own.
  vsc.home = vsc.p('home');
  fs.mkdirSync(vsc.home);
  vsc.machine({ 'amp.server.path': path.resolve(server), 'amp.server.environment': { HOME: vsc.home } });
  for (const [name, f] of Object.entries(cases)) if (wanted(name)) await run(name, vsc, () => f(vsc));
  await vsc.stop();
}

if (Object.keys(faults).some((name) => wanted(`server ${name}`))) {
  const vsc = await VSCode.start({ runServer, vsix });
  for (const [i, [name, fault]] of Object.entries(faults).entries()) {
    if (!wanted(`server ${name}`)) continue;
    vsc.machine(fault.machine);
    await run(`server ${name}`, vsc, async () => {
      const pack = brokenPack(vsc.p(`ws ${i}`));
      const page = await vsc.window(pack, path.join(pack, 'memory/copy-voice.md'));
      await message(page, fault.says).waitFor({ timeout: 120000 });
      if (name === 'missing') await shot(page, 'vscode-missing');
      if (name === 'of another release') await squiggleUnder(page, ORDER, 'permanent'); // and it works all the same
      await page.context().close();
    });
  }
  await vsc.stop();
}

if (wanted('untrusted')) {
  const vsc = await VSCode.start({ runServer, vsix, machine: { 'amp.server.path': path.resolve(server) }, trust: false });
  await run('untrusted workspace', vsc, async () => {
    const pack = brokenPack(vsc.p('ws'));
    const page = await vsc.window(pack, path.join(pack, 'memory/copy-voice.md'));
    await page.locator('.statusbar-item', { hasText: 'Restricted Mode' }).waitFor({ timeout: 120000 });
    await squiggleUnder(page, ORDER, 'permanent'); // findings work
    await page.keyboard.press('F1');
    const input = page.locator('.quick-input-widget input').first();
    await input.fill('>AMP: ');
    const rows = page.locator('.quick-input-list .monaco-list-row');
    await rows.filter({ hasText: 'AMP: Verify Signature' }).first().waitFor({ timeout: 20000 });
    assert.equal(await rows.filter({ hasText: 'AMP: Sign Pack' }).count(), 0, 'signing is not offered');
    await shot(page, 'vscode-untrusted');
    await page.context().close();
  });
  await vsc.stop();
}

log(`screenshots in ${shots}`);
// Last, where a long log is not cut.
for (const reason of reasons) console.log(reason);
console.log(`${passed} passed, ${failed} failed`);
await sleep(100);
process.exit(failed || !passed ? 1 : 0);
