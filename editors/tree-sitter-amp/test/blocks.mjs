// Compares the primitives that the grammar sees with those of the linter's parser.
//
//   node test/blocks.mjs --tree-sitter 'tree-sitter' [--amp PATH] CASES
//
// CASES is a folder of conformance packs (txtar with want.json) or a folder of .md files. Every memory file is compared with
// the `blocks` of its case, if it has them; with --amp also with `amp parse --format json`, together with COUNT mutated copies
// (seeded, so a failure can be repeated).
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';

const { values: opts, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    'tree-sitter': { type: 'string', default: 'tree-sitter' },
    amp: { type: 'string' },
    mutants: { type: 'string', default: '150' },
    seed: { type: 'string', default: '1' },
  },
});
const grammar = path.resolve(import.meta.dirname, '..');
const tmp = fs.mkdtempSync(path.join(os.tmpdir(), 'ts-amp-'));
process.on('exit', () => fs.rmSync(tmp, { recursive: true, force: true }));

// --- cases ---------------------------------------------------------------------------------------------------------------

function txtar(text) {
  const files = {};
  const parts = text.split(/^-- (.*) --\n/m);
  for (let i = 1; i < parts.length; i += 2) files[parts[i]] = parts[i + 1];
  return files;
}

const BOM = Buffer.from([0xef, 0xbb, 0xbf]);

function encode(text, ops) {
  let bytes = Buffer.from(text);
  for (const op of ops ?? []) {
    const s = bytes.toString('latin1');
    switch (op) {
      case 'unquote':
        bytes = Buffer.from(
          s.replace(/\\rep\{(\d+):([^}]*)\}/g, (_, n, t) => t.repeat(+n))
            .replace(/\\x\{([0-9A-Fa-f]{2})\}/g, (_, h) => String.fromCharCode(parseInt(h, 16))), 'latin1');
        break;
      case 'crlf': bytes = Buffer.from(s.replace(/\r?\n/g, '\r\n'), 'latin1'); break;
      case 'cr': bytes = Buffer.from(s.replace(/\r?\n/g, '\r'), 'latin1'); break;
      case 'bom': bytes = Buffer.concat([BOM, bytes]); break;
      case 'no-final-newline': bytes = Buffer.from(s.replace(/\n$/, ''), 'latin1'); break;
      default: throw new Error(`unknown encode operation ${op}`);
    }
  }
  return bytes;
}

// A file to compare: where it came from, its bytes, and the blocks its case wants.
function load(dir) {
  const out = [];
  for (const name of fs.readdirSync(dir).sort()) {
    const file = path.join(dir, name);
    if (name.endsWith('.md')) out.push({ from: name, bytes: fs.readFileSync(file) });
    if (!name.endsWith('.txtar')) continue;
    const files = txtar(fs.readFileSync(file, 'utf8'));
    const want = JSON.parse(files['want.json']);
    const v04 = /"primitive_format": *"inline-tag-v0\.4"/.test(files['pack/manifest.json'] ?? '');
    for (const [n, text] of Object.entries(files)) {
      const rel = n.replace(/^pack\//, '');
      if (!/^memory\/.*\.md$/.test(rel)) continue;
      if (!v04) continue; // an old or unknown format has another reader
      out.push({ from: `${name}:${rel}`, bytes: encode(text, want.encode?.[rel]), want: want.blocks?.[rel] });
    }
  }
  return out;
}

// --- tree-sitter ---------------------------------------------------------------------------------------------------------

const LINE = /\r\n|\n|\r/;
// tree-sitter counts a row at LF only.
const rows = (bytes) => {
  const starts = [0];
  for (let i = 0; i < bytes.length; i++) if (bytes[i] === 10) starts.push(i + 1);
  return starts;
};

// Reads the S-expression of `tree-sitter parse`: nodes with their field, byte range and children.
function readTree(text, bytes) {
  const starts = rows(bytes);
  const token = /\(|\)|(\w+): |([\w-]+) \[(\d+), (\d+)\] - \[(\d+), (\d+)\]|(ERROR|MISSING)/g;
  const stack = [{ children: [] }];
  let field;
  for (let m; (m = token.exec(text)); ) {
    if (m[0] === '(') continue;
    if (m[7]) { stack.at(-1).children.push({ type: m[7], children: [] }); continue; }
    if (m[1]) { field = m[1]; continue; }
    if (m[2]) {
      const node = { type: m[2], field, start: starts[+m[3]] + +m[4], end: starts[+m[5]] + +m[6], children: [] };
      field = undefined;
      stack.at(-1).children.push(node);
      stack.push(node);
    } else if (stack.length > 1) stack.pop();
  }
  return stack[0].children[0];
}

const lineOf = (bytes, offset) => bytes.subarray(0, offset).toString('latin1').split(LINE).length;
const ofType = (node, type) => node.children.filter((c) => c.type === type);
const lines = (s) => s.replace(/\r\n?/g, '\n');
const SPACE = '[\\t\\v\\f \\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff]';
const trim = (s) => s.replace(new RegExp(`^${SPACE}+|${SPACE}+$`, 'g'), '');

function primitives(tree, bytes) {
  const text = (n) => bytes.subarray(n.start, n.end).toString('utf8');
  return ofType(tree, 'primitive').map((p) => {
    const tag = p.children.find((c) => c.field === 'tag');
    const type = tag.children.find((c) => c.field === 'type');
    const inner = bytes.subarray(type.end, tag.end - 1).toString('utf8');
    const slots = inner === '' || trim(inner) === '' ? [] : inner.split(',').map(trim);
    const named = tag.children.filter((c) => c.field === 'facet').map((c) => trim(text(c)));
    if (slots.filter(Boolean).join('\0') !== named.join('\0')) throw new Error(`facet nodes ${named} for [${inner}]`);
    const content = p.children.find((c) => c.field === 'content');
    let value = '';
    if (content?.type === 'verbatim') {
      const body = ofType(content, 'body')[0];
      value = body ? lines(text(body)).replace(/\n$/, '') : '';
    } else if (content) value = text(content);
    const reasons = p.children.filter((c) => c.field === 'reason');
    const reason = reasons.map((r) => (r.children.length ? text(r.children[0]) : ''));
    // An unclosed body ends behind the last line break, which belongs to the line before.
    let end = p.end;
    while (end > p.start && (bytes[end - 1] === 10 || bytes[end - 1] === 13)) { end--; if (bytes[end] === 10 && bytes[end - 1] === 13) end--; break; }
    return {
      written: text(type), facets: slots, content: value, reason: reasons.length ? reason.join('\n') : null,
      start_line: lineOf(bytes, p.start), end_line: lineOf(bytes, end),
    };
  });
}

function parseAll(items) {
  const list = path.join(tmp, 'paths');
  fs.writeFileSync(list, items.map((i) => i.file).join('\n') + '\n');
  const [cmd, ...args] = opts['tree-sitter'].split(' ');
  let out;
  try {
    out = execFileSync(cmd, [...args, 'parse', '--paths', list], { cwd: grammar, encoding: 'utf8', maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'pipe'] });
  } catch (e) {
    if (e.stdout === undefined || e.stdout === '') throw e; // exit 1 also means that a tree holds an error: reported below
    out = e.stdout;
  }
  const trees = out.split(/^(?=\(source_file|\(ERROR)/m).filter((t) => t.startsWith('('));
  if (trees.length !== items.length) throw new Error(`${items.length} files, ${trees.length} trees`);
  items.forEach((item, i) => { item.sexp = trees[i]; item.tree = readTree(trees[i], item.bytes); });
}

// --- mutations -----------------------------------------------------------------------------------------------------------

function random(seed) { // xorshift32
  let x = seed || 1;
  return (n) => { x ^= x << 13; x ^= x >>> 17; x ^= x << 5; return (x >>> 0) % n; };
}

const PIECES = ['[', ']', '{', '}', '\n', '\r\n', '\r', '  > ', '---\n', ' ', '\t', ',', ':', '[demo positive] {\n', '}\n', '[claim] x is\n', 'sources:\n', '[goal', '\u00a0', '—', 'é', '😀', '  > [Lex — verbatim]\n', '\ufeff', 'illustrates: a'];

function mutate(bytes, rnd) {
  let text = bytes.toString('utf8');
  for (let n = 1 + rnd(4); n > 0; n--) {
    const at = rnd(text.length + 1);
    if (rnd(3)) text = text.slice(0, at) + PIECES[rnd(PIECES.length)] + text.slice(at);
    else text = text.slice(0, at) + text.slice(at + 1 + rnd(8));
  }
  return Buffer.from(text.toWellFormed());
}

// --- comparison ----------------------------------------------------------------------------------------------------------

const pick = (b) => ({ written: b.written, facets: b.facets ?? [], content: b.content, reason: b.reason ?? null, start_line: b.start_line, end_line: b.end_line });
let failed = 0, compared = 0;
function compare(item, got, want, what) {
  compared++;
  const a = got.map((b) => JSON.stringify(b)), b = want.map((x) => JSON.stringify(pick(x)));
  const i = [...Array(Math.max(a.length, b.length)).keys()].find((k) => a[k] !== b[k]);
  if (i === undefined) return;
  failed++;
  if (failed <= 10) console.log(`not ok - ${item.from}: primitive ${i + 1} differs from ${what}\n  grammar ${a[i]}\n  ${what} ${b[i]}\n${item.want ? '' : JSON.stringify(item.bytes.toString())}`);
}

const items = positionals.flatMap(load);
if (!items.length) throw new Error('no case found');
const rnd = random(+opts.seed);
if (opts.amp) {
  const originals = items.slice();
  for (let i = 0; i < +opts.mutants; i++) {
    const o = originals[rnd(originals.length)];
    if (o.bytes.length > 20000) continue;
    items.push({ from: `${o.from} mutant ${i}`, bytes: mutate(o.bytes, rnd) });
  }
}
items.forEach((item, i) => { item.file = path.join(tmp, `${i}.md`); fs.writeFileSync(item.file, item.bytes); });
parseAll(items);
let wanted = 0;
for (const item of items) {
  if (/\((ERROR|MISSING)/.test(item.sexp)) {
    failed++;
    if (failed <= 10) console.log(`not ok - ${item.from}: the tree holds an error\n${JSON.stringify(item.bytes.toString())}\n${item.sexp}`);
    continue;
  }
  const got = primitives(item.tree, item.bytes);
  if (item.want) { wanted++; compare(item, got, item.want, 'the case'); }
  // The body of a file that is no UTF-8 is not compared with the parser: both print replacement characters, each its own way.
  if (opts.amp && item.bytes.equals(Buffer.from(item.bytes.toString('utf8')))) {
    const out = execFileSync(opts.amp, ['parse', '--format', 'json', item.file], { encoding: 'utf8', maxBuffer: 1 << 26 });
    compare(item, got, JSON.parse(out).blocks, 'amp parse');
  }
}
console.log(`${items.length} files, ${wanted} with wanted blocks${opts.amp ? ', all against amp parse' : ''}`);
console.log(`${compared - failed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);
