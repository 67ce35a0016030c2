// A workspace with one pack, in a folder whose name has spaces and letters beyond ASCII.
const assert = require('node:assert/strict');
const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const vscode = require('vscode');
const { api, code, extension, open, options, ours, quickFix, suite, until } = require('./run.cjs');

const file = ['brand-voice', 'memory', 'copy-voice.md'];
const { real, order, orderFixed, extra, linter } = options();
const find = (document, rule) => until(rule, () => ours(document).find((d) => code(d) === rule));
const isAlive = (pid) => { try { process.kill(pid, 0); return true; } catch { return false; } };

const tests = {
  async 'activates, and the file stays Markdown'() {
    const { ready } = await api();
    assert.equal(await ready, true);
    const document = await open(...file);
    assert.equal(document.languageId, 'markdown');
  },

  async 'the server is the one of the settings, and of this release'() {
    const { session } = await api();
    assert.ok(session.server, 'no server');
    assert.ok(session.server.version, 'the server says its version');
    assert.deepEqual([...session.told], [], 'no complaint about it');
    return `amp-lsp ${session.server.version}`;
  },

  async 'findings stand on the right characters'() {
    const document = await open(...file);
    const found = await find(document, 'facet-order');
    assert.equal(document.getText(found.range), 'permanent');
    assert.equal(found.message, 'expected force at position 1 for directive, got permanent');
    assert.equal(document.lineAt(found.range.start.line).text, order);
    if (!real) return 'the toy server knows no facet-extra';
    const second = await until('facet-extra', () => ours(document).find((d) => document.lineAt(d.range.start.line).text === extra));
    assert.equal(document.getText(second.range), 'org', 'behind an emoji in the same line');
  },

  async 'the pack in view has a status'() {
    const { session } = await api();
    await open(...file);
    const status = await until('amp/packStatus', () => session.status.current());
    assert.equal(status.name, 'brand-voice');
    assert.ok(status.fail > 0 && status.pass > 0, JSON.stringify(status));
    assert.equal(status.signature, 'unsigned');
    return JSON.stringify(status);
  },

  async 'completion after ['() {
    const document = await open(...file);
    const edit = new vscode.WorkspaceEdit();
    const line = document.lineCount - 1;
    edit.insert(document.uri, new vscode.Position(line, document.lineAt(line).text.length), '\n\n[');
    await vscode.workspace.applyEdit(edit);
    const end = document.lineAt(document.lineCount - 1).range.end;
    let labels = [];
    await until('the types', async () => {
      const list = await vscode.commands.executeCommand('vscode.executeCompletionItemProvider', document.uri, end, '[');
      labels = list.items.map((i) => (typeof i.label === 'string' ? i.label : i.label.label));
      return ['goal', 'claim', 'directive', 'demo'].every((type) => labels.some((l) => l.startsWith(type)));
    }).catch((e) => { throw new Error(`${e.message}; offered: ${labels.slice(0, 30)}`); });
    await vscode.commands.executeCommand('workbench.action.files.revert');
  },

  async 'hover on a tag'() {
    const document = await open(...file);
    const found = await find(document, 'facet-order');
    const hovers = await until('a hover', async () => {
      const h = await vscode.commands.executeCommand('vscode.executeHoverProvider', document.uri, found.range.start);
      return h.length && h;
    });
    const text = hovers.flatMap((h) => h.contents).map((c) => (typeof c === 'string' ? c : c.value)).join('\n');
    assert.ok(text.trim().length > 10, text);
  },

  async 'the quick fix clears the finding'() {
    const document = await open(...file);
    const found = await find(document, 'facet-order');
    const action = await quickFix(document, found.range, /Reorder/);
    await vscode.workspace.applyEdit(action.edit);
    await until('the line', () => document.getText().includes(orderFixed));
    await until('no finding', () => !ours(document).some((d) => code(d) === 'facet-order'));
    await vscode.commands.executeCommand('workbench.action.files.revert');
    await find(document, 'facet-order');
  },

  async 'fix on save'() {
    const document = await open(...file);
    await find(document, 'facet-order');
    await vscode.commands.executeCommand('ampPack.fixOnSave');
    // VS Code saves without the fix when the fix does not come in time, so a later save counts as well.
    await until('the file', async () => {
      const edit = new vscode.WorkspaceEdit();
      edit.insert(document.uri, new vscode.Position(document.lineCount, 0), '\n');
      await vscode.workspace.applyEdit(edit);
      await document.save();
      return fs.readFileSync(document.uri.fsPath, 'utf8').includes(orderFixed);
    });
    await until('no finding', () => !ours(document).some((d) => code(d) === 'facet-order'));
  },

  async 'the command and the lens of the manifest show the capability summary'() {
    if (!linter) return 'not shown: no amp-lint was given';
    const name = 'asks';
    const workspace = vscode.workspace.workspaceFolders[0].uri.fsPath;
    const folder = path.join(workspace, name);
    fs.cpSync(path.join(workspace, 'brand-voice'), folder, { recursive: true });
    fs.appendFileSync(path.join(folder, 'memory/ops-tools.md'), '\n[directive must, org, permanent] After every release, run `make deploy`.\n');
    // What the linter prints is what the page must hold.
    const expected = execFileSync(linter, ['--capabilities', folder], { encoding: 'utf8' }).trimEnd();
    assert.match(expected, /make deploy/);
    const uri = vscode.Uri.from({ scheme: 'amp-page', path: `/capabilities of ${name}.md` });
    const previews = () => vscode.window.tabGroups.all.flatMap((g) => g.tabs).filter((t) => t.input instanceof vscode.TabInputWebview && t.label.includes(`capabilities of ${name}`));
    const labels = () => vscode.window.tabGroups.all.flatMap((g) => g.tabs).map((t) => t.label).join(', ');
    const shown = async (by) => {
      await until(`a page by ${by}`, () => previews().length > 0).catch((e) => { throw new Error(`${e.message}; open are: ${labels()}`); });
      const page = await vscode.workspace.openTextDocument(uri);
      assert.ok(page.getText().includes(expected), `by ${by}: ${page.getText()}`);
      await vscode.window.tabGroups.close(previews());
      await until('the page is closed', () => previews().length === 0);
    };
    const document = await open(name, 'manifest.json');
    await vscode.commands.executeCommand('ampPack.showCapabilities');
    await shown('the command');

    if (!real) return 'the toy server has no lens';
    await open(name, 'manifest.json');
    let offered;
    const lens = await until('the lens', async () => {
      offered = await vscode.commands.executeCommand('vscode.executeCodeLensProvider', document.uri, 20);
      return offered.find((l) => l.command?.command === 'amp.showCapabilities');
    }).catch((e) => { throw new Error(`${e.message}; offered: ${JSON.stringify(offered)}`); });
    await vscode.commands.executeCommand(lens.command.command, ...(lens.command.arguments ?? []));
    await shown('the lens');
    // Another file in view: the lens knows which pack it stands above.
    await open('.options.json');
    await vscode.commands.executeCommand(lens.command.command, ...(lens.command.arguments ?? []));
    await shown('the lens, from another file');
    return `${lens.command.title}: ${expected.split('\n')[0]}`;
  },

  async 'a new pack passes'() {
    const { template } = await api();
    const dir = path.join(vscode.workspace.workspaceFolders[0].uri.fsPath, 'from-template');
    for (const [name, text] of Object.entries(template('from-template', 'From the template'))) {
      fs.mkdirSync(path.dirname(path.join(dir, name)), { recursive: true });
      fs.writeFileSync(path.join(dir, name), text);
    }
    if (!linter) return 'not linted: no amp-lint was given';
    const report = JSON.parse(execFileSync(linter, ['--format', 'json', dir], { encoding: 'utf8' }));
    assert.deepEqual(report.diagnostics, []);
  },

  async 'what the snippets write passes, too'() {
    const snippets = JSON.parse(fs.readFileSync(path.join(extension().extensionPath, 'snippets/amp.json'), 'utf8'));
    const bodies = Object.entries(snippets).map(([name, { body }]) => [name, body.join('\n')
      .replace(/\$\{\d+\|([^,|]*)[^|]*\|\}/g, '$1').replace(/\$\{\d+:([^}]*)\}/g, '$1').replace(/\$\d/g, '')]);
    assert.ok(bodies.length >= 8);
    const { template } = await api();
    for (const [name, text] of bodies) {
      const dir = path.join(vscode.workspace.workspaceFolders[0].uri.fsPath, 'snippets', name.replace(/\W+/g, '-'));
      for (const [f, t] of Object.entries(template('s', 'S'))) {
        fs.mkdirSync(path.dirname(path.join(dir, f)), { recursive: true });
        const head = t.slice(0, t.indexOf('\n[') + 1);
        fs.writeFileSync(path.join(dir, f), !f.startsWith('memory/') ? t : text.startsWith('---') ? `${text}\n[claim] The sky is blue.\n` : `${head}\n${text}\n`);
      }
      if (!linter) continue;
      let out;
      try { out = execFileSync(linter, ['--format', 'json', dir], { encoding: 'utf8' }); } catch (e) { out = e.stdout; }
      const errors = JSON.parse(out).diagnostics.filter((d) => d.severity === 'error');
      assert.deepEqual(errors.map((d) => `${name}: ${d.rule}: ${d.message}`), []);
    }
    if (!linter) return 'not linted: no amp-lint was given';
  },

  async 'everything the manifest names is there'() {
    const root = extension().extensionPath;
    const { contributes } = extension().packageJSON;
    const files = [
      ...contributes.grammars.map((g) => g.path), ...contributes.snippets.map((g) => g.path),
      ...contributes.jsonValidation.map((g) => g.url), ...contributes.yamlValidation.map((g) => g.url),
      ...contributes.walkthroughs.flatMap((w) => w.steps.map((s) => s.media.markdown)),
    ];
    for (const f of files) assert.ok(fs.existsSync(path.join(root, f)), f);
    const commands = await vscode.commands.getCommands(true);
    for (const { command } of contributes.commands) assert.ok(commands.includes(command), command);
  },

  async 'the schema judges packs and leaves other manifests alone'() {
    const folder = vscode.workspace.workspaceFolders[0].uri.fsPath;
    fs.mkdirSync(path.join(folder, 'web'), { recursive: true });
    fs.mkdirSync(path.join(folder, 'odd'), { recursive: true });
    fs.writeFileSync(path.join(folder, 'web/manifest.json'), '{ "name": "A Web App", "version": "1.0", "created": 3 }\n');
    fs.writeFileSync(path.join(folder, 'odd/manifest.json'), '{ "name": "Odd Name", "layout": "flat", "capability_files": ["../x.md"], "agents_file": "agents.md" }\n');
    const byJson = (d) => vscode.languages.getDiagnostics(d.uri).filter((x) => !x.source?.startsWith('amp'));
    const odd = await open('odd', 'manifest.json');
    const found = await until('findings of the schema', () => byJson(odd).length >= 3 && byJson(odd));
    assert.ok(found.some((d) => odd.getText(d.range) === '"flat"'), JSON.stringify(found));
    const web = await open('web', 'manifest.json');
    await new Promise((r) => setTimeout(r, 1500));
    assert.deepEqual(byJson(web), []);
  },

  async 'the problem matcher reads what amp-lint prints'() {
    const { problemMatchers: [matcher] } = extension().packageJSON.contributes;
    const pattern = new RegExp(matcher.pattern.regexp);
    const [, f, line, column, severity, rule, message] = pattern.exec('my packs/memory/copy-voice.md:12:12: error [facet-order] expected force at position 1 for directive, got permanent');
    assert.deepEqual([f, line, column, severity, rule, message], ['my packs/memory/copy-voice.md', '12', '12', 'error', 'facet-order', 'expected force at position 1 for directive, got permanent']);
    if (!linter) return 'sample only: no amp-lint was given';
    const dir = vscode.Uri.joinPath(vscode.workspace.workspaceFolders[0].uri, 'odd').fsPath;
    let out;
    try { out = execFileSync(linter, ['--format', 'concise', dir], { encoding: 'utf8' }); } catch (e) { out = e.stdout; }
    const lines = out.trim().split('\n').filter((l) => /manifest\.json:/.test(l));
    assert.ok(lines.length > 0, out);
    for (const l of lines) assert.match(l, pattern);
  },

  async 'a task lints the workspace'() {
    const tasks = await vscode.tasks.fetchTasks({ type: 'amp-lint' });
    assert.equal(tasks.length, 1);
    assert.deepEqual(tasks[0].problemMatchers, ['$amp-lint']);
  },

  async 'restart gives a new server, stop leaves none behind'() {
    const { session } = await api();
    const pid = () => session.server.client._serverProcess?.pid;
    const first = pid();
    assert.ok(first, 'a process');
    await vscode.commands.executeCommand('ampPack.restartServer');
    const second = pid();
    assert.notEqual(second, first);
    await until('the first has ended', () => !isAlive(first));
    await session.stop();
    await until('the second has ended', () => !isAlive(second));
  },
};

exports.run = suite('pack', tests);
