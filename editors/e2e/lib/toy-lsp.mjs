#!/usr/bin/env node
// A language server for tests only: it knows one rule (facet order of directives), so that the editor packages can be tested
// apart from amp-lsp, and it fails in the ways a server can fail.
//
//   toy-lsp.mjs [--version] [--as VERSION] [--die] [--crash-on-open] [--slow-exit] [--trace FILE]
import fs from 'node:fs';

const args = process.argv.slice(2);
const has = (flag) => args.includes(flag);
const value = (flag, otherwise) => (has(flag) ? args[args.indexOf(flag) + 1] : otherwise);
const version = value('--as', '0.1.0');
if (has('--version')) { console.log(`toy-lsp ${version}`); process.exit(0); }
if (has('--die')) { console.error('toy-lsp: told to die'); process.exit(1); }

const docs = new Map();
let packStatus = false;

function send(message) {
  const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message }));
  process.stdout.write(`Content-Length: ${body.length}\r\n\r\n`);
  process.stdout.write(body);
}

const TAG = /^\[directive (permanent|seasonal|tactical), (must|should|may), (org|project|user|session)\]/;

function findings(text) {
  return text.split(/\r\n|\n|\r/).flatMap((line, i) => {
    const m = TAG.exec(line);
    if (!m) return [];
    return [{
      range: { start: { line: i, character: 11 }, end: { line: i, character: 11 + m[1].length } },
      severity: 1, source: 'amp', code: 'facet-order', message: `expected force at position 1 for directive, got ${m[1]}`,
      fix: { range: { start: { line: i, character: 11 }, end: { line: i, character: m[0].length - 1 } }, newText: `${m[2]}, ${m[3]}, ${m[1]}` },
    }];
  });
}

function publish(uri) {
  const found = findings(docs.get(uri));
  send({ method: 'textDocument/publishDiagnostics', params: { uri, diagnostics: found.map(({ fix, ...d }) => d) } });
  const pack = uri.replace(/\/(memory\/)?[^/]*$/, '');
  if (packStatus) send({ method: 'amp/packStatus', params: { uri: pack, name: pack.split('/').at(-1), pass: 3 - found.length, fail: found.length, warn: 0, signature: 'unsigned' } });
}

const overlap = (a, b) => a.start.line <= b.end.line && b.start.line <= a.end.line;
const action = (uri, title, kind, edits) => ({ title, kind, isPreferred: kind === 'quickfix', edit: { changes: { [uri]: edits } } });

const handlers = {
  initialize: (p) => {
    packStatus = p.initializationOptions?.packStatus === true;
    return {
      serverInfo: { name: 'toy-lsp', version },
      capabilities: {
        textDocumentSync: { openClose: true, change: 1, save: true }, hoverProvider: true,
        completionProvider: { triggerCharacters: ['['] },
        codeActionProvider: { codeActionKinds: ['quickfix', 'source.fixAll.amp'] },
        executeCommandProvider: { commands: ['amp.updateCounts', 'amp.verify', 'amp.sign'] },
      },
    };
  },
  shutdown: () => null,
  'textDocument/hover': () => ({ contents: { kind: 'markdown', value: '**directive**: an instruction' } }),
  'textDocument/completion': () => ['goal', 'claim', 'directive', 'demo'].map((label) => ({ label, kind: 14 })),
  'textDocument/codeAction': ({ textDocument: { uri }, range, context }) => {
    const found = findings(docs.get(uri) ?? '');
    const only = context.only;
    if (only?.some((k) => k.startsWith('source'))) return found.length ? [action(uri, 'Fix all', 'source.fixAll.amp', found.map((f) => f.fix))] : [];
    return found.filter((f) => overlap(f.range, range)).map((f) => action(uri, 'Reorder the facets', 'quickfix', [f.fix]));
  },
  'workspace/executeCommand': ({ command }) => command === 'amp.updateCounts' ? { applied: false } : { applied: false, signature: 'unsigned', message: 'The pack is not signed.' },
};
const notifications = {
  exit: () => { if (!has('--slow-exit')) process.exit(0); },
  'textDocument/didOpen': ({ textDocument: { uri, text } }) => {
    if (has('--crash-on-open')) process.exit(3);
    docs.set(uri, text);
    publish(uri);
  },
  'textDocument/didChange': ({ textDocument: { uri }, contentChanges }) => { docs.set(uri, contentChanges.at(-1).text); publish(uri); },
  'textDocument/didClose': ({ textDocument: { uri } }) => docs.delete(uri),
};

let buffer = Buffer.alloc(0);
process.stdin.on('data', (chunk) => {
  buffer = Buffer.concat([buffer, chunk]);
  for (;;) {
    const head = buffer.indexOf('\r\n\r\n');
    if (head < 0) return;
    const length = +/content-length: (\d+)/i.exec(buffer.subarray(0, head).toString())[1];
    if (buffer.length < head + 4 + length) return;
    const message = JSON.parse(buffer.subarray(head + 4, head + 4 + length).toString());
    buffer = buffer.subarray(head + 4 + length);
    if (has('--trace')) fs.appendFileSync(value('--trace'), JSON.stringify(message) + '\n');
    const { id, method, params } = message;
    if (!method) continue; // an answer
    if (id === undefined) notifications[method]?.(params);
    else if (handlers[method]) send({ id, result: handlers[method](params) });
    else send({ id, error: { code: -32601, message: `no ${method}` } });
  }
});
// A server outlives its editor only by a fault.
process.stdin.on('end', () => process.exit(1));
