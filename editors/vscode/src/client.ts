// The language client, in a file of its own: it is loaded when a pack was found, not when the extension is activated.
import * as vscode from 'vscode';
import {
  type Executable,
  LanguageClient,
  type LanguageClientOptions,
  RevealOutputChannelOn,
  State,
} from 'vscode-languageclient/node';
import type { PackStatus } from './status';

export interface Options {
  command: string;
  args: string[];
  env: Record<string, string>;
  log: vscode.LogOutputChannel;
  trace: vscode.LogOutputChannel;
  signing: boolean;
  onStatus(status: PackStatus): void;
  onState(running: boolean): void;
}

/** A running server. */
export interface Server {
  readonly version: string | undefined;
  readonly client: LanguageClient;
  execute<T>(command: string, argument: object): Promise<T>;
  stop(): Promise<void>;
}

const documents = [
  { scheme: 'file', pattern: '**/memory/*.md' },
  { scheme: 'file', pattern: '**/agents.md' },
  { scheme: 'file', pattern: '**/manifest.json' },
];

function environment(extra: Record<string, string>, signing: boolean): NodeJS.ProcessEnv {
  const env = { ...process.env, ...extra };
  // Without trust in the folder nothing that runs on its behalf gets to see the key.
  if (!signing) delete env['AMP_PRIVATE_KEY'];
  return env;
}

/** Starts amp-lsp and waits for its answer to `initialize`. Rejects when it cannot be run or ends before that. */
export async function start(options: Options): Promise<Server> {
  const executable: Executable = {
    command: options.command,
    args: options.args,
    options: { env: environment(options.env, options.signing) },
  };
  const clientOptions: LanguageClientOptions = {
    documentSelector: documents,
    outputChannel: options.log,
    traceOutputChannel: options.trace,
    revealOutputChannelOn: RevealOutputChannelOn.Never,
    initializationOptions: { packStatus: true, signing: options.signing },
    synchronize: { configurationSection: 'amp' },
    connectionOptions: { maxRestartCount: 3 },
    initializationFailedHandler: () => false, // start() rejects, and the caller tells the user
    markdown: { isTrusted: false, supportHtml: false }, // hovers show text of the pack
  };
  const client = new LanguageClient('amp', 'AMP', executable, clientOptions);
  client.onDidChangeState((e) => options.onState(e.newState === State.Running));
  client.onNotification('amp/packStatus', (status: PackStatus) => options.onStatus(status));
  await client.start();
  return {
    client,
    version: client.initializeResult?.serverInfo?.version,
    execute: (command, argument) => client.sendRequest('workspace/executeCommand', { command, arguments: [argument] }),
    async stop() {
      // A server that hangs must not hold up the window's end.
      await client.dispose(2000).catch(() => undefined);
    },
  };
}
