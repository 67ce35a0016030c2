// The extension's own tests, in VS Code's extension host.
//
//   node vscode/exthost.mjs RUN_SERVER EXTENSION_DIR SERVER [LINTER]
import fs from 'node:fs';
import path from 'node:path';
import { brokenPack, EXTRA, manyPacks, ORDER, ORDER_FIXED } from '../lib/packs.mjs';
import { log, VSCode } from './harness.mjs';

const [runServer, extension, server, linter] = process.argv.slice(2);
const toy = path.resolve(import.meta.dirname, '../lib/toy-lsp.mjs');
const options = JSON.stringify({ real: path.resolve(server) !== toy, order: ORDER, orderFixed: ORDER_FIXED, extra: EXTRA, linter: linter && path.resolve(linter) });

const suites = {
  pack: (dir) => brokenPack(dir),
  nopack: (dir) => {
    // A web app's manifest and somebody's folder of memories: globs match, packs they are not.
    fs.mkdirSync(path.join(dir, 'app/memory'), { recursive: true });
    fs.writeFileSync(path.join(dir, 'app/memory/holiday.md'), '# Lisbon\n');
    fs.mkdirSync(path.join(dir, 'web'));
    fs.writeFileSync(path.join(dir, 'web/manifest.json'), '{ "name": "A Web App", "icons": [] }\n');
  },
  many: (dir) => manyPacks(dir, 300),
  link: (dir) => {
    const elsewhere = `${dir} elsewhere`;
    fs.symlinkSync(brokenPack(elsewhere), path.join(dir, 'linked'));
  },
};

const vsc = await VSCode.start({
  runServer,
  driver: true,
  machine: { 'amp.server.path': path.resolve(server), ...(linter ? { 'amp.linter.path': path.resolve(linter) } : {}) },
});
let passed = 0, failed = 0;
for (const [name, prepare] of Object.entries(suites)) {
  if (process.env.E2E_CASE && process.env.E2E_CASE !== name) continue;
  const dir = vsc.p(`wörk 空 ${name}`);
  fs.mkdirSync(dir, { recursive: true });
  fs.writeFileSync(path.join(dir, '.options.json'), options);
  prepare(dir);
  const before = failed;
  try {
    const code = await vsc.runTests(dir, extension, path.join(import.meta.dirname, 'suites', `${name}.cjs`), (line) => {
      if (line.startsWith('ok - ')) passed++;
      if (line.startsWith('not ok - ')) failed++;
      log(line);
    });
    if (code !== 0 && failed === before) { failed++; log(`not ok - suite ${name} ended with ${code}`); }
  } catch (e) {
    failed++;
    log(`not ok - suite ${name}: ${e.message}\n${vsc.logs()}`);
  }
}
await vsc.stop();
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed || !passed ? 1 : 0);
