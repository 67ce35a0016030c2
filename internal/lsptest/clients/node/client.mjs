// Drives amp-lsp with Microsoft's own protocol library as the client, on a copy of an example pack, and checks every
// message that comes back against the protocol's metaModel.json.
//
//   node client.mjs META_MODEL PACK SERVER [ARGS...]
//
// It opens the pack, sees a facet-order finding at the right place behind an emoji, applies the code action, and sees the
// finding go; then it asks for every feature once. It does so as four clients: one that is pushed diagnostics and knows
// everything up to LSP 3.17, one that pulls them, one that knows 3.18 as well, and one that knows nothing.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { MetaModel } from './metamodel.mjs';

const P = createRequire(import.meta.url)('vscode-languageserver-protocol/node');
const [metaFile, example, ...command] = process.argv.slice(2);
const meta = new MetaModel(metaFile);
const limit = 20_000;

const everything = {
  general: { positionEncodings: ['utf-16'] },
  window: { workDoneProgress: true, showMessage: {} },
  workspace: {
    applyEdit: true, configuration: true, workspaceFolders: true,
    workspaceEdit: { documentChanges: true, resourceOperations: ['create', 'rename', 'delete'] },
    didChangeWatchedFiles: { dynamicRegistration: true, relativePatternSupport: true },
    didChangeConfiguration: { dynamicRegistration: true },
    symbol: { resolveSupport: { properties: ['location.range'] } },
    diagnostics: { refreshSupport: true }, codeLens: { refreshSupport: true }, inlayHint: { refreshSupport: true }, semanticTokens: { refreshSupport: true },
  },
  textDocument: {
    publishDiagnostics: { relatedInformation: true, codeDescriptionSupport: true, versionSupport: true, tagSupport: { valueSet: [1, 2] } },
    codeAction: {
      codeActionLiteralSupport: { codeActionKind: { valueSet: ['quickfix', 'refactor', 'source'] } },
      isPreferredSupport: true, disabledSupport: true, dataSupport: true, resolveSupport: { properties: ['edit'] },
    },
    completion: { completionItem: { snippetSupport: true, insertReplaceSupport: true, preselectSupport: true, documentationFormat: ['markdown'] } },
    hover: { contentFormat: ['markdown'] },
    signatureHelp: { signatureInformation: { documentationFormat: ['markdown'], parameterInformation: { labelOffsetSupport: true } } },
    definition: { linkSupport: true }, documentLink: { tooltipSupport: true },
    documentSymbol: { hierarchicalDocumentSymbolSupport: true }, rename: { prepareSupport: true },
  },
};
const pulling = { ...everything, textDocument: { ...everything.textDocument, diagnostic: { relatedDocumentSupport: true } } };
const newest = {
  ...pulling,
  workspace: { ...everything.workspace, textDocumentContent: {}, workspaceEdit: { ...everything.workspace.workspaceEdit, snippetEditSupport: true } },
  textDocument: {
    ...pulling.textDocument,
    diagnostic: { ...pulling.textDocument.diagnostic, markupMessageSupport: true },
    completion: { ...everything.textDocument.completion, completionList: { itemDefaults: ['editRange', 'insertTextFormat'] } },
  },
};

class Session {
  bad = [];
  seen = 0;
  published = [];
  #asked = new Map();

  constructor() {
    this.child = spawn(command[0], command.slice(1), { stdio: ['pipe', 'pipe', 'pipe'] });
    this.stderr = '';
    this.child.stderr.on('data', (d) => { this.stderr += d; });
    this.exited = new Promise((resolve) => this.child.on('exit', (code, signal) => resolve(code ?? signal)));
    const session = this;
    class Reader extends P.StreamMessageReader {
      listen(callback) {
        return super.listen((m) => {
          session.seen++;
          session.bad.push(...meta.message(m, session.#asked.get(m.id)));
          callback(m);
        });
      }
    }
    class Writer extends P.StreamMessageWriter {
      write(m) {
        if (m.method && m.id !== undefined) session.#asked.set(m.id, m.method);
        return super.write(m);
      }
    }
    const c = P.createProtocolConnection(new Reader(this.child.stdout), new Writer(this.child.stdin));
    c.onNotification(P.PublishDiagnosticsNotification.type, (d) => this.published.push(d));
    c.onRequest(P.RegistrationRequest.type, () => {});
    c.onRequest(P.ConfigurationRequest.type, (p) => p.items.map(() => null));
    c.onRequest(P.ApplyWorkspaceEditRequest.type, () => ({ applied: true }));
    c.onRequest(P.WorkDoneProgressCreateRequest.type, () => {});
    for (const r of ['workspace/diagnostic/refresh', 'workspace/codeLens/refresh', 'workspace/inlayHint/refresh', 'workspace/semanticTokens/refresh']) c.onRequest(r, () => null);
    c.onError((e) => this.bad.push(`client error: ${e[0]}`));
    c.listen();
    this.connection = c;
  }

  ask(type, params) { return within(type.method ?? type, this.connection.sendRequest(type, params)); }
  tell(type, params) { return this.connection.sendNotification(type, params); }

  async end() {
    await this.ask(P.ShutdownRequest.type);
    await this.tell(P.ExitNotification.type);
    assert.equal(await within('exit', this.exited), 0);
    assert.deepEqual(this.bad, []);
  }
}

const within = (what, promise) => Promise.race([promise, new Promise((_, reject) => setTimeout(() => reject(new Error(`${what}: no answer`)), limit).unref())]);

async function until(what, f) {
  for (const end = Date.now() + limit; ;) {
    const v = f();
    if (v) return v;
    assert(Date.now() < end, `${what}: did not happen`);
    await new Promise((r) => setTimeout(r, 20));
  }
}

// apply applies text edits the way editors do: all positions refer to the text before.
function apply(text, edits) {
  const starts = [0];
  for (let i = 0; i < text.length; i++) if (text[i] === '\n') starts.push(i + 1);
  const offset = (p) => starts[p.line] + p.character;
  return [...edits].sort((a, b) => offset(b.range.start) - offset(a.range.start))
    .reduce((t, e) => t.slice(0, offset(e.range.start)) + e.newText + t.slice(offset(e.range.end)), text);
}

async function run(name, capabilities) {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), 'amp node ü '));
  fs.cpSync(example, root, { recursive: true });
  const file = path.join(root, 'memory', 'copy-voice.md');
  const uri = pathToFileURL(file).href;
  let text = fs.readFileSync(file, 'utf8');
  const line = text.split('\n').findIndex((l) => l.startsWith('[directive must, '));
  assert(line >= 0, 'the example has no directive to break');
  const good = text.split('\n')[line];
  const facets = /^\[directive ([^\]]*)\]/.exec(good)[1].split(', ');
  const lines = text.split('\n');
  lines[line] = `[directive ${[...facets].reverse().join(', ')}] In every 😀 note, never shout.`;
  lines.splice(line, 0, '[claim] 😀 is a face.', '');
  text = lines.join('\n');

  const s = new Session();
  try {
    const init = await s.ask(P.InitializeRequest.type, {
      processId: process.pid, rootUri: null, capabilities,
      workspaceFolders: [{ uri: pathToFileURL(root).href, name: 'pack' }],
    });
    await s.tell(P.InitializedNotification.type, {});
    let version = 1;
    await s.tell(P.DidOpenTextDocumentNotification.type, { textDocument: { uri, languageId: 'markdown', version, text } });
    const document = { uri };
    const diagnostics = async () => {
      if (init.capabilities.diagnosticProvider) return (await s.ask(P.DocumentDiagnosticRequest.type, { textDocument: document })).items;
      return (await until('diagnostics', () => s.published.findLast((p) => p.uri === uri && p.version === version))).diagnostics;
    };

    // A finding behind characters beyond the BMP, in UTF-16 units.
    const finding = (await diagnostics()).find((d) => d.code === 'facet-order');
    assert(finding, 'no facet-order finding');
    const bad = [...facets].reverse();
    assert.deepEqual(finding.range, { start: { line: line + 2, character: 11 }, end: { line: line + 2, character: 11 + bad[0].length } });
    const plain = typeof finding.message === 'string';
    assert.equal(plain, capabilities !== newest, 'Markdown messages are for who knows them');
    if (plain) assert.equal(finding.message, `expected force at position 1 for directive, got ${bad[0]}`);

    // The code action mends it, and it goes.
    const actions = await s.ask(P.CodeActionRequest.type, { textDocument: document, range: finding.range, context: { diagnostics: [finding], only: ['quickfix'] } });
    let action = actions.find((a) => a.title === 'Reorder the facets');
    assert(action, `no fix among ${actions.map((a) => a.title)}`);
    if (!action.edit) action = await s.ask(P.CodeActionResolveRequest.type, action);
    const change = action.edit.documentChanges?.find((c) => c.textDocument?.uri === uri) ?? { edits: action.edit.changes[uri], textDocument: { version } };
    assert.equal(change.textDocument.version, version);
    text = apply(text, change.edits);
    assert(text.includes(`[directive ${facets.join(', ')}] In every 😀 note`), 'the fix made another text');
    version++;
    await s.tell(P.DidChangeTextDocumentNotification.type, { textDocument: { uri, version }, contentChanges: change.edits.map((e) => ({ range: e.range, text: e.newText })) });
    assert(!(await diagnostics()).some((d) => d.code === 'facet-order'), 'the finding is still there');

    // Every feature once; the checker judges the answers.
    const position = { line: line + 2, character: 3 };
    const at = { textDocument: document, position };
    const range = { start: { line: 0, character: 0 }, end: { line: line + 3, character: 0 } };
    const options = { tabSize: 2, insertSpaces: true };
    const manifest = { uri: pathToFileURL(path.join(root, 'manifest.json')).href };
    assert(await s.ask(P.HoverRequest.type, at));
    const list = await s.ask(P.CompletionRequest.type, at);
    assert(list.items.length > 0);
    assert.equal(list.itemDefaults !== undefined, capabilities === newest, 'defaults of items are for who knows them');
    assert(await s.ask(P.SignatureHelpRequest.type, { textDocument: document, position: { line: line + 2, character: 12 } }));
    await s.ask(P.DefinitionRequest.type, at);
    await s.ask(P.ReferencesRequest.type, { ...at, context: { includeDeclaration: true } });
    await s.ask(P.DocumentHighlightRequest.type, at);
    assert((await s.ask(P.DocumentSymbolRequest.type, { textDocument: document })).length > 3);
    assert((await s.ask(P.DocumentSymbolRequest.type, { textDocument: manifest })).length > 3);
    const symbols = await s.ask(P.WorkspaceSymbolRequest.type, { query: 'never' });
    assert(symbols.length > 0);
    if (init.capabilities.workspaceSymbolProvider.resolveProvider) await s.ask(P.WorkspaceSymbolResolveRequest.type, symbols[0]);
    assert((await s.ask(P.FoldingRangeRequest.type, { textDocument: document })).length > 3);
    assert.equal((await s.ask(P.SelectionRangeRequest.type, { textDocument: document, positions: [position, position] })).length, 2);
    const tokens = await s.ask(P.SemanticTokensRequest.type, { textDocument: document });
    assert(tokens.data.length > 0 && tokens.data.length % 5 === 0);
    assert((await s.ask(P.SemanticTokensDeltaRequest.type, { textDocument: document, previousResultId: tokens.resultId })).edits);
    await s.ask(P.SemanticTokensRangeRequest.type, { textDocument: document, range });
    await s.ask(P.DocumentFormattingRequest.type, { textDocument: document, options });
    await s.ask(P.DocumentRangeFormattingRequest.type, { textDocument: document, range, options });
    await s.ask(P.DocumentOnTypeFormattingRequest.type, { ...at, ch: '\n', options });
    await s.ask(P.DocumentLinkRequest.type, { textDocument: manifest });
    await s.ask(P.InlayHintRequest.type, { textDocument: document, range });
    for (const lens of await s.ask(P.CodeLensRequest.type, { textDocument: manifest })) await s.ask(P.CodeLensResolveRequest.type, lens);
    for (const a of await s.ask(P.CodeActionRequest.type, { textDocument: document, range, context: { diagnostics: [] } })) {
      if (a.data) await s.ask(P.CodeActionResolveRequest.type, a);
    }
    await s.ask(P.WillRenameFilesRequest.type, { files: [{ oldUri: uri, newUri: uri.replace('copy-voice', 'voice') }] });
    await s.ask(P.ExecuteCommandRequest.type, { command: 'amp.verify', arguments: [{ uri: pathToFileURL(root).href }] });
    if (init.capabilities.diagnosticProvider) {
      assert((await s.ask(P.WorkspaceDiagnosticRequest.type, { previousResultIds: [] })).items.length > 3);
    }
    assert.equal(init.capabilities.workspace.textDocumentContent !== undefined, capabilities === newest, 'virtual documents are for who knows them');
    if (capabilities === newest) await newestOnly(s, root, document, version, text);
    await assert.rejects(s.ask('amp/noSuchMethod', {}), (e) => e.code === -32601);
    await s.end();
    console.log(`ok - ${name}: ${s.seen} messages from ${init.serverInfo.name} ${init.serverInfo.version}, all as in metaModel ${meta.version}`);
    return true;
  } catch (e) {
    console.log(`not ok - ${name}: ${e.stack}\n${s.bad.join('\n')}\n${s.stderr}`);
    s.child.kill();
    return false;
  } finally {
    fs.rmSync(root, { recursive: true, force: true });
  }
}

// newestOnly asks for what only LSP 3.18 has.
async function newestOnly(s, root, document, version, text) {
  const end = { line: text.split('\n').length - 1, character: text.split('\n').at(-1).length };
  await s.ask(P.DocumentRangesFormattingRequest.type, {
    textDocument: document, ranges: [{ start: { line: 0, character: 0 }, end: { line: 2, character: 0 } }, { start: end, end }], options: { tabSize: 2, insertSpaces: true },
  });

  // An entry for a source that the legend lacks has a place to type its title in.
  await s.tell(P.DidChangeTextDocumentNotification.type, {
    textDocument: { ...document, version: version + 1 }, contentChanges: [{ range: { start: end, end }, text: '\n\n[claim] It is so.\n  > [Nowhere 9]\n' }],
  });
  const cited = (await s.ask(P.DocumentDiagnosticRequest.type, { textDocument: document })).items.find((d) => d.code === 'citation-undefined');
  assert(cited, 'no citation-undefined finding');
  const actions = await s.ask(P.CodeActionRequest.type, { textDocument: document, range: cited.range, context: { diagnostics: [cited] } });
  const edits = [];
  for (let a of actions) {
    if (!a.edit && a.data) a = await s.ask(P.CodeActionResolveRequest.type, a);
    edits.push(...(a.edit?.documentChanges ?? []).flatMap((c) => c.edits ?? []));
  }
  assert(edits.some((e) => e.snippet?.value.includes('Nowhere 9')), `no edit with a snippet among ${JSON.stringify(edits)}`);

  const report = await s.ask('workspace/textDocumentContent', { uri: pathToFileURL(root).href.replace(/^file:/, 'amp-report:') + '/validation.txt' });
  assert.match(report.text, /^PASS: \d+ primitives valid$/m);
}

const results = [];
for (const [name, capabilities] of Object.entries({ pushed: everything, pulling, newest, plain: {} })) results.push(await run(name, capabilities));
process.exit(results.every(Boolean) ? 0 : 1);
