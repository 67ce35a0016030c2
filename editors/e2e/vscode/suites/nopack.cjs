// A workspace without a pack that looks like one to a glob.
const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const vscode = require('vscode');
const { api, open, suite, until } = require('./run.cjs');

exports.run = suite('no pack', {
  async 'no server is started'() {
    const { ready, session } = await api();
    assert.equal(await ready, false);
    assert.equal(session.server, undefined);
    assert.equal(session.status, undefined, 'nothing in the status bar');
  },
  async 'a pack that appears starts it, at the latest when a file of it is opened'() {
    const { session } = await api();
    const root = vscode.workspace.workspaceFolders[0].uri.fsPath;
    fs.mkdirSync(path.join(root, 'later/memory'), { recursive: true });
    fs.writeFileSync(path.join(root, 'later/manifest.json'), '{ "name": "later", "layout": "semantic-cluster", "capability_files": [], "agents_file": "agents.md" }\n');
    fs.writeFileSync(path.join(root, 'later/agents.md'), '# AMP Routing — later\n');
    await open('later', 'agents.md');
    await until('a server', () => session.server);
  },
});
