import * as vscode from 'vscode';
import { registerCommands } from './commands';
import { template } from './newpack';
import { Session } from './session';
import { LintTasks } from './tasks';

/** What the extension's own tests see. */
export interface Api {
  readonly session: Session;
  /** Whether the workspace holds a pack; settles when the server runs or failed. */
  readonly ready: Promise<boolean>;
  readonly template: typeof template;
}

let session: Session | undefined;

// Nothing here waits: whether there is a pack, and the server's start, are found out after activation.
export function activate(context: vscode.ExtensionContext): Api {
  const log = vscode.window.createOutputChannel('AMP', { log: true });
  const current = new Session(context, log);
  session = current;
  const ready = current.startIfPack().catch((error: unknown) => {
    log.error(String(error));
    return false;
  });
  const appeared = vscode.workspace.createFileSystemWatcher('**/{manifest.json,agents.md}', false, true, true);
  context.subscriptions.push(
    log,
    current,
    appeared,
    registerCommands(current),
    vscode.tasks.registerTaskProvider('amp-lint', new LintTasks(current)),
    // A watcher may miss files that are written right after their folder, so an opened file counts too.
    appeared.onDidCreate((uri) => current.startFor(uri)),
    vscode.workspace.onDidOpenTextDocument((document) => current.startFor(document.uri)),
    vscode.workspace.onDidChangeWorkspaceFolders(() => current.startIfPack()),
    // The server's arguments and what it may do are fixed at its start.
    vscode.workspace.onDidGrantWorkspaceTrust(() => current.server && current.restart()),
    vscode.workspace.onDidChangeConfiguration((e) => {
      if (e.affectsConfiguration('amp.server')) void current.reconfigure();
    }),
  );
  return { session: current, ready, template };
}

export async function deactivate(): Promise<void> {
  await session?.stop();
}
