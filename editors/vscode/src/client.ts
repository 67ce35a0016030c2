// The language client, in a file of its own: it is loaded when a pack was found, not when the extension is activated.
import * as vscode from 'vscode';
import {
  CloseAction,
  ErrorAction,
  type ErrorHandler,
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

// Until the server has answered, its faults are start()'s to report: once, and in words that name the program.
class Client extends LanguageClient {
  answered = false;

  override error(message: string, data?: unknown, showNotification: boolean | 'force' = true): void {
    super.error(message, data, this.answered ? showNotification : false);
  }
}

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
    initializationFailedHandler: () => false,
    markdown: { isTrusted: false, supportHtml: false }, // hovers show text of the pack
    middleware: {
      // The lens above the manifest: a page shows more lines than the message that the server would send.
      executeCommand: (command, args, next) =>
        command === 'amp.showCapabilities' ? vscode.commands.executeCommand('ampPack.showCapabilities', args[0]?.uri) : next(command, args),
    },
  };
  // The client copies its options, so the handler has to be among them before there is a client to ask.
  let handler: ErrorHandler;
  clientOptions.errorHandler = {
    // Writing to a server that has ended tells only that it has, which closed() judges; shutting the client down here would
    // keep it from being started again.
    error: (error, message, count) =>
      ['EPIPE', 'ECONNRESET', 'ERR_STREAM_DESTROYED'].includes((error as NodeJS.ErrnoException).code ?? '')
        ? { action: ErrorAction.Continue, handled: true }
        : handler.error(error, message, count),
    closed: () => (client.answered ? handler.closed() : { action: CloseAction.DoNotRestart, handled: true }),
  };
  const client = new Client('amp', 'AMP', executable, clientOptions);
  // A server that worked and crashed is started again a few times; one that never answered is not.
  handler = client.createDefaultErrorHandler(3);
  client.onDidChangeState((e) => {
    // As soon as the answer is there: a server can crash on the first document, before start() is done.
    if (e.newState === State.Running) client.answered = true;
    options.onState(e.newState === State.Running);
  });
  client.onNotification('amp/packStatus', (status: PackStatus) => options.onStatus(status));
  await client.start();
  // The library keeps the failure of a start that its error handler has taken care of.
  if (!client.answered) throw new Error('it ended before it answered');
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
