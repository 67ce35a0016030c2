// A pack that the workspace holds as a symbolic link.
const assert = require('node:assert/strict');
const fs = require('node:fs');
const vscode = require('vscode');
const { api, code, open, options, ours, quickFix, suite, until } = require('./run.cjs');

exports.run = suite('symlink', {
  async 'findings and fix work through the link'() {
    const { ready } = await api();
    assert.equal(await ready, true);
    const document = await open('linked', 'memory', 'copy-voice.md');
    const found = await until('facet-order', () => ours(document).find((d) => code(d) === 'facet-order'));
    assert.equal(document.getText(found.range), 'permanent');
    const action = await quickFix(document, found.range, /Reorder/);
    await vscode.workspace.applyEdit(action.edit);
    await document.save();
    await until('no finding', () => !ours(document).some((d) => code(d) === 'facet-order'));
    const real = fs.realpathSync(document.uri.fsPath);
    assert.notEqual(real, document.uri.fsPath);
    assert.ok(fs.readFileSync(real, 'utf8').includes(options().orderFixed));
    assert.ok(fs.lstatSync(vscode.Uri.joinPath(vscode.workspace.workspaceFolders[0].uri, 'linked').fsPath).isSymbolicLink(), 'the link is still one');
  },
});
