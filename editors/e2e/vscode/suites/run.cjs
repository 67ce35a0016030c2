// Runs a table of tests inside VS Code's extension host and prints one line for each.
const path = require('node:path');
const vscode = require('vscode');

const id = 'amp-toolchain.amp-memory';

exports.until = async (what, f, ms = 60000) => {
  for (const end = Date.now() + ms; ; await new Promise((r) => setTimeout(r, 50))) {
    const v = await f();
    if (v) return v;
    if (Date.now() > end) throw new Error(`timed out: ${what}`);
  }
};

/** The extension's API; activate() rejects with the error of an activation that failed. */
exports.api = () => vscode.extensions.getExtension(id).activate();
exports.extension = () => vscode.extensions.getExtension(id);

exports.open = async (...parts) => {
  const uri = vscode.Uri.joinPath(vscode.workspace.workspaceFolders[0].uri, ...parts);
  const document = await vscode.workspace.openTextDocument(uri);
  await vscode.window.showTextDocument(document);
  return document;
};

exports.ours = (document) => vscode.languages.getDiagnostics(document.uri).filter((d) => d.source?.startsWith('amp'));
exports.code = (d) => String(typeof d.code === 'object' ? d.code.value : d.code);
exports.options = () => JSON.parse(require('node:fs').readFileSync(path.join(vscode.workspace.workspaceFolders[0].uri.fsPath, '.options.json'), 'utf8'));

/** The quick fix with a title; asked for again while VS Code answers with nothing, as it does when it is interrupted. */
exports.quickFix = (document, range, title) => exports.until(`quick fix ${title}`, async () => {
  const actions = await vscode.commands.executeCommand('vscode.executeCodeActionProvider', document.uri, range, 'quickfix', 20);
  return actions.find((a) => title.test(a.title) && a.edit);
});

// What is open, found and running: for the log of a failure that nobody watched.
function screen() {
  const editor = vscode.window.activeTextEditor;
  const session = vscode.extensions.getExtension(id)?.exports?.session;
  const lines = [
    `in view: ${editor?.document.uri.fsPath ?? 'nothing'}${editor?.document.isDirty ? ' (unsaved)' : ''}`,
    `tabs: ${vscode.window.tabGroups.all.flatMap((g) => g.tabs).map((t) => t.label).join(', ')}`,
    `server: ${session?.server ? `runs, ${session.server.version}` : 'does not run'}; told: ${[...(session?.told ?? [])].join(' | ') || 'nothing'}`,
    `status: ${JSON.stringify(session?.status?.current())}`,
    ...(editor ? vscode.languages.getDiagnostics(editor.document.uri) : []).slice(0, 12)
      .map((d) => `finding: ${d.range.start.line + 1}:${d.range.start.character + 1} ${d.source} [${exports.code(d)}] ${d.message.slice(0, 160)}`),
  ];
  return lines.map((l) => `    ${l}`).join('\n');
}

exports.suite = (name, tests) => async () => {
  let failed = 0;
  for (const [title, f] of Object.entries(tests)) {
    try {
      const note = await f();
      console.log(`ok - ${name}: ${title}${note ? ` (${note})` : ''}`);
    } catch (e) {
      failed++;
      console.log(`not ok - ${name}: ${title}\n${e.stack}\n${screen()}`);
    }
  }
  if (failed) throw new Error(`suite ${name}: ${failed} failed`);
};
