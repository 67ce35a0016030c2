// VS Code without Electron: its own server (remote extension host) and its web workbench in headless Chromium.
import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { chromium } from 'playwright-core';

export const STATUS = '[id="amp-toolchain.amp-memory.ampPack.status"]';

const started = Date.now();
export const log = (text) => console.log(`${((Date.now() - started) / 1000).toFixed(1).padStart(6)}s ${text}`);
export const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Polls until f gives a value; the machine may be busy, so the time is generous and the poll short. */
export async function until(what, f, ms = 120000) {
  for (const end = Date.now() + ms; ; await sleep(100)) {
    const v = await f();
    if (v) return v;
    if (Date.now() > end) throw new Error(`timed out: ${what}`);
  }
}

const USER = {
  'workbench.startupEditor': 'none', 'telemetry.telemetryLevel': 'off', 'extensions.autoCheckUpdates': false, 'extensions.autoUpdate': false,
  'update.mode': 'none', 'extensions.ignoreRecommendations': true, 'workbench.enableExperiments': false, 'editor.minimap.enabled': false,
  'workbench.tips.enabled': false, 'files.autoSave': 'off', 'chat.commandCenter.enabled': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden', 'editor.lightbulb.enabled': 'on', 'editor.accessibilitySupport': 'off',
  'workbench.colorTheme': 'Default Light Modern', 'editor.fontSize': 13, 'window.restoreWindows': 'none', 'git.enabled': false,
  'security.workspace.trust.startupPrompt': 'always', 'security.workspace.trust.banner': 'never',
};

function freePort() {
  return new Promise((resolve) => {
    const s = net.createServer().listen(0, '127.0.0.1', () => {
      const { port } = s.address();
      s.close(() => resolve(port));
    });
  });
}

export class VSCode {
  /** options: runServer, vsix, machine (settings of machine scope), user (settings), trust (false: ask), driver (for runTests) */
  static async start({ runServer, vsix, machine = {}, user = {}, trust = true, driver = false }) {
    const self = new VSCode();
    const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'amp-vsc-'));
    const p = (...parts) => path.join(dir, ...parts);
    Object.assign(self, { dir, p, trust });
    for (const d of ['ud/User', 'ud/Machine', 'ext']) fs.mkdirSync(p(d), { recursive: true });
    self.machine(machine);
    fs.writeFileSync(p('ud/User/settings.json'), JSON.stringify({ ...USER, 'security.workspace.trust.enabled': !trust, ...user }));
    // An outer editor's variables would confuse the inner one.
    const env = Object.fromEntries(Object.entries(process.env).filter(([k]) => !/^(VSCODE|ELECTRON|PORT$|PASSWORD|AMP_)/.test(k)));
    const common = ['--user-data-dir', p('ud'), '--server-data-dir', p('sd'), '--extensions-dir', p('ext'), '--accept-server-license-terms', '--telemetry-level', 'off'];
    if (vsix) execFileSync(runServer, [...common, '--install-extension', vsix], { env, stdio: 'pipe' });
    self.port = await freePort();
    self.process = spawn(runServer, [...common, '--host', '127.0.0.1', '--port', `${self.port}`, '--without-connection-token',
      // Newer builds run extension tests only with it; with it, no dialog is ever shown.
      ...(driver ? ['--enable-smoke-test-driver'] : []),
      ...(trust ? ['--disable-workspace-trust'] : [])],
    { env, detached: true, stdio: ['ignore', fs.openSync(p('server.log'), 'w'), fs.openSync(p('server.err'), 'w')] });
    await until('VS Code server', () => fetch(`http://127.0.0.1:${self.port}/version`).then((r) => r.ok, () => false));
    self.browser = await chromium.launch({
      executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', headless: true,
      args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
    });
    return self;
  }

  /** Sets the settings of machine scope: a program's path counts, in a remote window, only there. */
  machine(settings) {
    fs.writeFileSync(this.p('ud/Machine/settings.json'), JSON.stringify(settings));
  }

  remote(file) {
    return `vscode-remote://127.0.0.1:${this.port}${path.resolve(file).split('/').map(encodeURIComponent).join('/')}`;
  }

  async page(width = 1100, height = 640) {
    // A context of its own: nothing of an earlier window (open editors, answers about trust) is remembered.
    const context = await this.browser.newContext({ viewport: { width, height } });
    const page = await context.newPage();
    page.setDefaultTimeout(120000);
    return page;
  }

  url(folder, payload) {
    const query = folder.endsWith('.code-workspace') ? 'workspace' : 'folder';
    return `http://127.0.0.1:${this.port}/?${query}=${encodeURIComponent(folder)}&payload=${encodeURIComponent(JSON.stringify(payload))}`;
  }

  /** Opens a workspace and one of its files, and waits until the extension was activated. */
  async window(folder, file) {
    const page = await this.page();
    for (let attempt = 1; ; attempt++) {
      await page.goto(this.url(folder, [["openFile", this.remote(file)]]), { timeout: 120000 });
      await page.waitForSelector('.monaco-workbench', { timeout: 120000 });
      if (!this.trust) await page.locator('.monaco-dialog-box .monaco-button', { hasText: /No, I don't trust/ }).click({ timeout: 120000 });
      await page.waitForSelector(`.tab[data-resource-name="${path.basename(file)}"]`, { timeout: 120000 });
      await page.waitForSelector('.monaco-editor .view-line', { timeout: 120000 });
      // VS Code gives up its search for `workspaceContains` after 7 seconds, which a machine under load can need.
      const active = await page.locator(STATUS).waitFor({ timeout: 40000 * attempt }).then(() => true, () => false);
      if (active) return page;
      if (attempt === 3) throw new Error(`the extension was not activated:\n${this.hostLog()}`);
      log(`# loading the window again: ${this.hostLog().split('\n').findLast((l) => /workspaceContains/.test(l)) ?? 'not activated'}`);
    }
  }

  /** The last lines of the newest extension host's log. */
  hostLog() {
    return this.newestLog(/remoteexthost\.log$/, 12);
  }

  newestLog(pattern, lines) {
    const find = (dir) => { try { return fs.readdirSync(dir, { recursive: true }); } catch { return []; } };
    const logs = ['ud/logs', 'sd/data/logs'].flatMap((dir) => find(this.p(dir)).filter((f) => pattern.test(f)).map((f) => this.p(dir, f)));
    const newest = logs.sort((a, b) => fs.statSync(b).mtimeMs - fs.statSync(a).mtimeMs)[0];
    return newest ? fs.readFileSync(newest, 'utf8').trim().split('\n').slice(-lines).join('\n') : 'no log';
  }

  /** Runs a tests module in the extension host of a new window; resolves to its exit code. */
  async runTests(folder, extension, tests, onLine, ms = 300000) {
    const page = await this.page();
    try {
      const end = new Promise((resolve, reject) => {
        void page.exposeFunction('codeAutomationExit', resolve);
        setTimeout(() => reject(new Error(`no end of ${path.basename(tests)} after ${ms / 1000} s`)), ms).unref();
      });
      await page.exposeFunction('codeAutomationLog', (type, args) => {
        const line = args.join(' ');
        if (process.env.VERBOSE || /^(not )?ok - |^#/.test(line) || (type === 'error' && /suite|AMP/.test(line))) onLine(line);
      });
      await page.goto(this.url(folder, [['extensionDevelopmentPath', this.remote(extension)], ['extensionTestsPath', this.remote(tests)], ['skipWelcome', 'true']]));
      return await end;
    } finally {
      await page.context().close();
    }
  }

  /** The ends of the logs: the server's, the newest extension host's, the extension's output channel. */
  logs() {
    const read = (f) => { try { return fs.readFileSync(this.p(f), 'utf8').slice(-1500); } catch { return ''; } };
    return `server:\n${read('server.log')}${read('server.err')}\nextension host:\n${this.hostLog()}\noutput channel AMP:\n${this.newestLog(/amp-memory[\\/]AMP\.log$/, 30)}`;
  }

  async stop(keep = false) {
    await this.browser?.close();
    try { process.kill(-this.process.pid, 'SIGTERM'); } catch { /* it is gone */ }
    await sleep(300);
    if (!keep) fs.rmSync(this.dir, { recursive: true, force: true, maxRetries: 10 });
  }
}
