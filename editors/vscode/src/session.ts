// The life of the server in this window: found, started when the workspace holds a pack, restarted, reported when it fails.
import * as vscode from 'vscode';
import type { Server } from './client';
import { findPacks, packOf } from './packs';
import { differs, findProgram, NotFound, type Program } from './programs';
import { StatusBar } from './status';

type ClientModule = typeof import('./client');

const guide = vscode.Uri.parse('https://github.com/amp-toolchain/amp/blob/main/docs/editors.md#vs-code');

export class Session implements vscode.Disposable {
  status: StatusBar | undefined;
  server: Server | undefined;
  private starting: Promise<void> | undefined;
  private stopping = false;
  private told = new Set<string>();
  private readonly trace = vscode.window.createOutputChannel('AMP Trace', { log: true });

  constructor(
    private readonly context: vscode.ExtensionContext,
    readonly log: vscode.LogOutputChannel,
  ) {}

  dispose(): void {
    this.status?.dispose();
    this.trace.dispose();
  }

  /** Starts the server if the workspace holds a pack and it does not run yet. */
  async startIfPack(): Promise<boolean> {
    if (this.starting) {
      await this.starting;
      return true;
    }
    if ((await findPacks(1)).length === 0) {
      this.log.info('No pack in this workspace: amp-lsp is not started.');
      return false;
    }
    await this.start();
    return true;
  }

  /** Starts the server if the file is one of a pack: finds packs that came after the workspace was opened. */
  async startFor(uri: vscode.Uri): Promise<void> {
    if (!this.starting && uri.scheme === 'file' && (await packOf(uri))) await this.start();
  }

  start(): Promise<void> {
    this.starting ??= this.run();
    return this.starting;
  }

  /** Applies changed server settings, if there is a server to apply them to. */
  async reconfigure(): Promise<void> {
    if (this.starting) await this.restart();
  }

  async restart(): Promise<void> {
    await this.stop();
    this.told.clear();
    await this.start();
  }

  async stop(): Promise<void> {
    this.stopping = true;
    try {
      await this.starting;
      await this.server?.stop();
    } finally {
      this.server = undefined;
      this.starting = undefined;
      this.stopping = false;
    }
  }

  /** The server, for a command that needs it; tells the user when there is none. */
  async need(): Promise<Server | undefined> {
    if (!this.server) await this.start();
    if (!this.server) void vscode.window.showErrorMessage('amp-lsp is not running. See AMP: Show Log.');
    return this.server;
  }

  linter(): Program {
    return findProgram('amp-lint', this.setting('linter.path', ''), this.context.extensionPath);
  }

  private setting<T>(name: string, fallback: T): T {
    return vscode.workspace.getConfiguration('amp').get<T>(name, fallback);
  }

  private async run(): Promise<void> {
    void vscode.commands.executeCommand('setContext', 'ampPack.active', true);
    this.status ??= new StatusBar();
    this.status.setServer('starting');
    let program: Program;
    try {
      program = findProgram('amp-lsp', this.setting('server.path', ''), this.context.extensionPath);
    } catch (error) {
      if (!(error instanceof NotFound)) throw error;
      this.status.setServer('missing');
      this.fail(error.message);
      return;
    }
    this.log.info(`Starting ${program.command} (found by ${program.origin}).`);
    try {
      const client: ClientModule = require('./client.js');
      this.server = await client.start({
        command: program.command,
        args: this.setting<string[]>('server.arguments', []),
        env: this.setting<Record<string, string>>('server.environment', {}),
        log: this.log,
        trace: this.trace,
        signing: vscode.workspace.isTrusted,
        onStatus: (status) => this.status?.setPack(status),
        onState: (running) => this.changed(running),
      });
      this.compareVersions(program);
    } catch (error) {
      this.changed(false);
      this.fail(`amp-lsp could not be started (${program.command}): ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  private changed(running: boolean): void {
    this.status?.setServer(running ? 'running' : 'stopped');
    void vscode.commands.executeCommand('setContext', 'ampPack.ready', running);
    if (!running && !this.stopping && this.server) this.log.warn('amp-lsp ended.');
  }

  private compareVersions(program: Program): void {
    const mine: string = this.context.extension.packageJSON.version;
    const theirs = this.server?.version;
    this.log.info(`amp-lsp ${theirs ?? '(no version)'} runs; this extension is ${mine}.`);
    if (theirs === undefined || !differs(mine, theirs)) return;
    const from = program.origin === 'bundled' ? 'inside the extension' : program.command;
    this.tell(`amp-lsp ${theirs} (${from}) and this extension (${mine}) are of different releases. Some features may be missing.`, false);
  }

  private fail(message: string): void {
    this.log.error(message);
    this.tell(message, true);
  }

  // Once for each cause: a window that is reloaded often should not nag.
  private tell(message: string, error: boolean): void {
    if (this.told.has(message)) return;
    this.told.add(message);
    const show = error ? vscode.window.showErrorMessage : vscode.window.showWarningMessage;
    void show(message, 'Open Settings', 'Set-up Guide', 'Show Log').then((choice) => {
      if (choice === 'Open Settings') void vscode.commands.executeCommand('ampPack.openSettings');
      if (choice === 'Set-up Guide') void vscode.env.openExternal(guide);
      if (choice === 'Show Log') this.log.show();
    });
  }
}
