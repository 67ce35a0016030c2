// The status bar item: PASS or FAIL and the signature state of the pack in view.
import * as vscode from 'vscode';
import { packFolder } from './packs';

export type Signature = 'unsigned' | 'valid' | 'intact-untrusted' | 'stale' | 'invalid';

/** amp/packStatus, see docs/lsp-extensions.md. */
export interface PackStatus {
  uri: string;
  name: string;
  pass: number;
  fail: number;
  warn: number;
  signature: Signature;
}

export type ServerState = 'starting' | 'running' | 'stopped' | 'missing';

const signatures: Record<Signature, { icon: string; text: string }> = {
  unsigned: { icon: '', text: 'not signed' },
  valid: { icon: '$(verified-filled)', text: 'signature valid, key trusted' },
  'intact-untrusted': { icon: '$(verified)', text: 'intact, but nobody vouches for the key inside the pack' },
  stale: { icon: '$(unverified)', text: 'changed since it was signed' },
  invalid: { icon: '$(warning)', text: 'signature cannot be read or does not hold' },
};

export class StatusBar implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem('ampPack.status', vscode.StatusBarAlignment.Right, 100);
  private readonly packs = new Map<string, PackStatus>();
  private readonly subscriptions: vscode.Disposable[];
  private state: ServerState = 'starting';

  constructor() {
    this.item.name = 'AMP pack';
    this.subscriptions = [
      this.item,
      vscode.window.onDidChangeActiveTextEditor(() => this.render()),
      vscode.workspace.onDidChangeConfiguration((e) => e.affectsConfiguration('amp.statusBar') && this.render()),
    ];
    this.render();
  }

  dispose(): void {
    vscode.Disposable.from(...this.subscriptions).dispose();
  }

  setPack(status: PackStatus): void {
    // Two spellings of one address (an escaped colon, say) must not be two packs.
    this.packs.set(vscode.Uri.parse(status.uri).toString(), status);
    this.render();
  }

  setServer(state: ServerState): void {
    this.state = state;
    if (state !== 'running') this.packs.clear();
    this.render();
  }

  /** The state of the pack that the active editor's file is in. */
  current(): PackStatus | undefined {
    const uri = vscode.window.activeTextEditor?.document.uri;
    const folder = uri && packFolder(uri);
    return folder && this.packs.get(folder.toString());
  }

  private render(): void {
    const uri = vscode.window.activeTextEditor?.document.uri;
    const enabled = vscode.workspace.getConfiguration('amp').get<boolean>('statusBar.enabled', true);
    if (!enabled || !uri || !packFolder(uri)) return this.item.hide();
    if (this.state !== 'running') return this.renderServer();
    const pack = this.current();
    if (!pack) return this.item.hide();
    const signature = signatures[pack.signature] ?? signatures.unsigned;
    this.item.text = `${pack.fail ? `$(error) AMP FAIL ${pack.fail}` : `$(pass) AMP PASS ${pack.pass}`} ${signature.icon}`.trim();
    this.item.backgroundColor = pack.fail ? new vscode.ThemeColor('statusBarItem.errorBackground') : undefined;
    this.item.command = 'workbench.actions.view.problems';
    this.item.tooltip = plain(
      `${pack.name}: ${pack.pass} primitives valid, ${pack.fail} failed${pack.warn ? `, ${pack.warn} unresolved` : ''}\n` +
        `Signature: ${signature.text}`,
    );
    this.item.accessibilityInformation = {
      label: `AMP pack ${pack.name}: ${pack.fail ? `${pack.fail} failed` : 'passes'}, ${signature.text}`,
    };
    this.item.show();
  }

  private renderServer(): void {
    const texts: Record<Exclude<ServerState, 'running'>, [string, string, string]> = {
      starting: ['$(loading~spin) AMP', 'amp-lsp is starting', 'ampPack.showLog'],
      stopped: ['$(debug-disconnect) AMP', 'amp-lsp is not running. Click to start it again.', 'ampPack.restartServer'],
      missing: ['$(circle-slash) AMP', 'amp-lsp was not found. Click for the settings.', 'ampPack.openSettings'],
    };
    const [text, tooltip, command] = texts[this.state as Exclude<ServerState, 'running'>];
    this.item.text = text;
    this.item.tooltip = tooltip;
    this.item.command = command;
    this.item.backgroundColor = this.state === 'starting' ? undefined : new vscode.ThemeColor('statusBarItem.warningBackground');
    this.item.accessibilityInformation = { label: tooltip };
    this.item.show();
  }
}

// A pack's name is a stranger's text: shown as text, never as Markdown.
function plain(text: string): vscode.MarkdownString {
  return new vscode.MarkdownString().appendText(text);
}
