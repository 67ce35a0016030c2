import { execFile } from 'node:child_process';
import * as path from 'node:path';
import { promisify } from 'node:util';
import * as vscode from 'vscode';
import { newPack } from './newpack';
import { findPacks, packOf, readManifest } from './packs';
import { NotFound } from './programs';
import type { Session } from './session';
import type { Signature } from './status';

const run = promisify(execFile);

interface Verified { signature: Signature; fingerprint?: string; message: string }
interface Signed extends Verified { applied: boolean }

// The pack a command is about: the one in view, the only one, or the one the user picks.
async function choosePack(): Promise<vscode.Uri | undefined> {
  const inView = await packOf(vscode.window.activeTextEditor?.document.uri);
  if (inView) return inView;
  const packs = await findPacks(50);
  if (packs.length === 0) {
    void vscode.window.showInformationMessage('There is no pack in this workspace.');
    return undefined;
  }
  if (packs.length === 1) return packs[0];
  const items = packs.map((uri) => ({ label: path.basename(uri.fsPath), description: vscode.workspace.asRelativePath(uri), uri }));
  return (await vscode.window.showQuickPick(items, { placeHolder: 'Which pack?' }))?.uri;
}

async function verify(session: Session): Promise<void> {
  const pack = await choosePack();
  const server = pack && (await session.need());
  if (!server) return;
  const result = await server.execute<Verified>('amp.verify', { uri: pack.toString() });
  const show = result.signature === 'valid' ? vscode.window.showInformationMessage
    : result.signature === 'invalid' || result.signature === 'stale' ? vscode.window.showErrorMessage
    : vscode.window.showWarningMessage;
  void show(result.message);
}

function dirtyIn(pack: vscode.Uri): vscode.TextDocument[] {
  return vscode.workspace.textDocuments.filter((d) => d.isDirty && d.uri.path.startsWith(`${pack.path}/`));
}

async function sign(session: Session): Promise<void> {
  if (!vscode.workspace.isTrusted) {
    void vscode.window.showErrorMessage('Signing is off in a workspace that you have not said you trust.');
    return;
  }
  const pack = await choosePack();
  const server = pack && (await session.need());
  if (!server) return;
  const unsaved = dirtyIn(pack);
  const name = (await readManifest(pack))?.['name'];
  const label = typeof name === 'string' ? name : path.basename(pack.fsPath);
  const yes = unsaved.length ? 'Save and Sign' : 'Sign';
  const answer = await vscode.window.showWarningMessage(
    `Sign the pack “${label}”?`,
    { modal: true, detail: 'Your private key vouches for every file of the pack as it is now. manifest.json is changed.' },
    yes,
  );
  if (answer !== yes) return;
  for (const document of unsaved) {
    if (!(await document.save())) return void vscode.window.showErrorMessage(`${path.basename(document.fileName)} could not be saved, so the pack was not signed.`);
  }
  const result = await server.execute<Signed>('amp.sign', { uri: pack.toString(), confirmed: true });
  // The server's edit leaves manifest.json and a new signing.pub unsaved; what is not on disk vouches for nothing.
  if (result.applied) for (const document of dirtyIn(pack)) await document.save();
  void (result.applied ? vscode.window.showInformationMessage : vscode.window.showErrorMessage)(result.message);
}

async function updateCounts(session: Session): Promise<void> {
  const pack = await choosePack();
  const server = pack && (await session.need());
  if (!server) return;
  await server.execute('amp.updateCounts', { uri: pack.toString() });
}

// --- pages made by the linter ---------------------------------------------------------------------------------------------

const scheme = 'amp-page';

class Pages implements vscode.TextDocumentContentProvider {
  private readonly texts = new Map<string, string>();
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.changed.event;

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.texts.get(uri.toString()) ?? '';
  }

  async show(name: string, text: string): Promise<void> {
    const uri = vscode.Uri.from({ scheme, path: `/${name}.md` });
    this.texts.set(uri.toString(), text);
    this.changed.fire(uri);
    await vscode.commands.executeCommand('markdown.showPreview', uri);
  }
}

async function lint(session: Session, args: string[]): Promise<string> {
  const { stdout } = await run(session.linter().command, args, { timeout: 20000, maxBuffer: 8 << 20, windowsHide: true });
  return stdout;
}

async function explainRule(session: Session, pages: Pages, rule?: string): Promise<void> {
  const name = rule ?? (await chooseRule());
  if (!name) return;
  if (!/^[a-z0-9-]+$/.test(name)) return void vscode.window.showErrorMessage(`“${name}” is not the name of a rule.`);
  try {
    await pages.show(name, await lint(session, ['explain', name]));
  } catch (error) {
    if (!(error instanceof NotFound)) return void vscode.window.showErrorMessage(`amp-lint could not explain ${name}: ${reason(error)}`);
    await vscode.env.openExternal(vscode.Uri.parse(`https://github.com/amp-toolchain/amp/blob/main/docs/rules/${name}.md`));
  }
}

function reason(error: unknown): string {
  const stderr = (error as { stderr?: string }).stderr?.trim();
  return stderr || (error instanceof Error ? error.message : String(error));
}

// The rules found at the cursor first, then those found elsewhere in the file.
async function chooseRule(): Promise<string | undefined> {
  const editor = vscode.window.activeTextEditor;
  const found = editor ? vscode.languages.getDiagnostics(editor.document.uri) : [];
  const code = (d: vscode.Diagnostic) => String(typeof d.code === 'object' ? d.code.value : d.code ?? '');
  const ours = found.filter((d) => d.source?.startsWith('amp') && code(d));
  const here = ours.filter((d) => editor && d.range.intersection(editor.selection));
  if (here.length === 1) return code(here[0]!);
  const names = [...new Set([...here, ...ours].map(code))];
  if (names.length === 0) return vscode.window.showInputBox({ prompt: 'Name of the rule', placeHolder: 'facet-order' });
  return vscode.window.showQuickPick(names, { placeHolder: 'Which rule?' });
}

async function showCapabilities(session: Session, pages: Pages, of?: string): Promise<void> {
  // The lens names its pack, or a file of it; it may be clicked while another file has the focus.
  const named = of === undefined ? undefined : vscode.Uri.parse(of);
  const pack = named ? (await packOf(named)) ?? named : await choosePack();
  if (!pack) return;
  try {
    const text = await lint(session, ['--capabilities', pack.fsPath]);
    await pages.show(`capabilities of ${path.basename(pack.fsPath)}`, ['```text', text.trimEnd(), '```', ''].join('\n'));
  } catch (error) {
    // Without the linter the server tells it, in a message that shows less.
    const server = error instanceof NotFound ? await session.need() : undefined;
    if (server) return void (await server.execute('amp.showCapabilities', { uri: pack.toString(), show: true }));
    const unknown = /unknown flag/.test(reason(error));
    void vscode.window.showErrorMessage(unknown ? 'This amp-lint offers no capability summary yet.' : `The capability summary failed: ${reason(error)}`);
  }
}

async function fixOnSave(): Promise<void> {
  const config = vscode.workspace.getConfiguration('editor', { languageId: 'markdown' });
  const now = config.get<Record<string, unknown>>('codeActionsOnSave', {});
  await config.update('codeActionsOnSave', { ...now, 'source.fixAll.amp': 'explicit' }, vscode.ConfigurationTarget.Workspace, true);
  void vscode.window.showInformationMessage('Safe fixes are applied when a Markdown file of a pack is saved.');
}

export function registerCommands(session: Session): vscode.Disposable {
  const pages = new Pages();
  const commands: Record<string, (...args: never[]) => unknown> = {
    'ampPack.new': (folder?: vscode.Uri) => newPack(session, folder instanceof vscode.Uri ? folder : undefined),
    'ampPack.verify': () => verify(session),
    'ampPack.sign': () => sign(session),
    'ampPack.updateCounts': () => updateCounts(session),
    'ampPack.explainRule': (rule?: string) => explainRule(session, pages, typeof rule === 'string' ? rule : undefined),
    'ampPack.showCapabilities': (of?: string) => showCapabilities(session, pages, typeof of === 'string' ? of : undefined),
    'ampPack.fixOnSave': fixOnSave,
    'ampPack.restartServer': () => session.restart(),
    'ampPack.showLog': () => session.log.show(),
    'ampPack.openSettings': () => vscode.commands.executeCommand('workbench.action.openSettings', '@ext:amp-toolchain.amp-memory'),
  };
  return vscode.Disposable.from(
    vscode.workspace.registerTextDocumentContentProvider(scheme, pages),
    ...Object.entries(commands).map(([id, handler]) => vscode.commands.registerCommand(id, async (...args: never[]) => {
      try {
        return await handler(...args);
      } catch (error) {
        session.log.error(`${id}: ${reason(error)}`);
        void vscode.window.showErrorMessage(`AMP: ${reason(error)}`);
        return undefined;
      }
    })),
  );
}
