// Bundles the extension into dist/: two scripts, so that the language client is loaded only when a pack was found, and the
// grammars and schemas that live elsewhere in the repository.
import * as esbuild from 'esbuild';
import fs from 'node:fs';
import path from 'node:path';

const here = path.resolve(import.meta.dirname, '..');
const dist = path.join(here, 'dist');
fs.rmSync(dist, { recursive: true, force: true });
fs.mkdirSync(dist);

await esbuild.build({
  absWorkingDir: here,
  entryPoints: ['src/extension.ts', 'src/client.ts'],
  outdir: 'dist',
  bundle: true,
  minify: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  external: ['vscode', './client.js'],
  legalComments: 'none',
  logLevel: 'warning',
});

for (const file of [
  '../grammars/amp.tmLanguage.json',
  '../grammars/amp.injection.tmLanguage.json',
  '../schemas/manifest.schema.json',
  '../../schemas/amp-lint.schema.json',
]) {
  fs.copyFileSync(path.join(here, file), path.join(dist, path.basename(file)));
}
fs.copyFileSync(path.join(here, '../../LICENSE'), path.join(here, 'LICENSE'));
