// Packs the extension.   node scripts/package.mjs [--target linux-x64] [--out FILE]
// Without a target it holds no programs and finds amp-lsp by setting or PATH. With one, amp-lsp and amp-lint are built for
// that platform and put into bin/.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';

const { values } = parseArgs({ options: { target: { type: 'string' }, out: { type: 'string' } } });
const here = path.resolve(import.meta.dirname, '..');
const root = path.resolve(here, '../..');
const platforms = {
  'linux-x64': ['linux', 'amd64'], 'linux-arm64': ['linux', 'arm64'],
  'darwin-x64': ['darwin', 'amd64'], 'darwin-arm64': ['darwin', 'arm64'],
  'win32-x64': ['windows', 'amd64'], 'win32-arm64': ['windows', 'arm64'],
};

const bin = path.join(here, 'bin');
fs.rmSync(bin, { recursive: true, force: true });
if (values.target) {
  const platform = platforms[values.target];
  if (!platform) throw new Error(`no such target: ${values.target}; one of ${Object.keys(platforms).join(', ')}`);
  const [GOOS, GOARCH] = platform;
  for (const name of ['amp-lsp', 'amp-lint']) {
    const out = path.join(bin, name + (GOOS === 'windows' ? '.exe' : ''));
    execFileSync('go', ['build', '-trimpath', '-ldflags=-s -w', '-o', out, `./cmd/${name}`],
      { cwd: root, env: { ...process.env, GOOS, GOARCH, CGO_ENABLED: '0' }, stdio: 'inherit' });
  }
}

const { version, name } = JSON.parse(fs.readFileSync(path.join(here, 'package.json'), 'utf8'));
const out = path.resolve(values.out ?? path.join(root, 'dist', `${name}-${version}${values.target ? `-${values.target}` : ''}.vsix`));
fs.mkdirSync(path.dirname(out), { recursive: true });
// The time of the last commit instead of now: two builds of one commit are the same bytes.
const epoch = process.env.SOURCE_DATE_EPOCH ?? execFileSync('git', ['log', '-1', '--format=%ct'], { cwd: root, encoding: 'utf8' }).trim();
const vsce = path.join(here, 'node_modules/@vscode/vsce/vsce');
execFileSync(process.execPath, [vsce, 'package', '--no-dependencies', ...(values.target ? ['--target', values.target] : []), '-o', out],
  { cwd: here, env: { ...process.env, SOURCE_DATE_EPOCH: epoch }, stdio: 'inherit' });
