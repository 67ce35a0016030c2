// The packs that the tests open, made from examples/ so that users can follow.
import fs from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../../..');

// Put in front of the first directive of a copied example. The emoji make a column counted in bytes or code points wrong, in the
// line itself and in the lines above it.
export const ORDER = '[directive permanent, must, org] In party copy 🎉🎉, never use em dashes.';
export const ORDER_FIXED = '[directive must, org, permanent] In party copy 🎉🎉, never use em dashes.';
export const EXTRA = '[demo positive, illustrates: 🎉-dash, org] A full stop. A new line.';

/** Copies an example pack and puts a broken line into it, or two with `extra`. Returns the pack's folder. */
export function brokenPack(parent, { name = 'brand-voice', extra = true } = {}) {
  const dir = path.join(parent, name);
  fs.cpSync(path.join(root, 'examples/brand-voice'), dir, { recursive: true });
  const file = path.join(dir, 'memory/copy-voice.md');
  const text = fs.readFileSync(file, 'utf8');
  const at = text.indexOf('\n[directive ') + 1;
  if (at === 0) throw new Error('the example holds no directive');
  fs.writeFileSync(file, `${text.slice(0, at)}${ORDER}\n  > 🎉 is no dash.\n\n${extra ? `${EXTRA}\n\n` : ''}${text.slice(at)}`);
  // The counts stay true.
  for (const f of [file, path.join(dir, 'manifest.json')]) {
    let s = fs.readFileSync(f, 'utf8');
    for (const type of extra ? ['directive', 'demonstration'] : ['directive']) {
      s = s.replace(new RegExp(`("?${type}"?: )(\\d+)`), (_, k, n) => k + (Number(n) + 1));
    }
    fs.writeFileSync(f, s);
  }
  return dir;
}

/** Makes a folder of many small packs, of which only the last holds a finding. */
export function manyPacks(parent, count) {
  for (let i = 1; i <= count; i++) {
    const name = `pack-${String(i).padStart(3, '0')}`;
    const dir = path.join(parent, name);
    fs.mkdirSync(path.join(dir, 'memory'), { recursive: true });
    fs.writeFileSync(path.join(dir, 'manifest.json'), JSON.stringify({
      name, title: name, version: { number: 1 }, layout: 'semantic-cluster', primitive_format: 'inline-tag-v0.4', created: '2026-06-01',
      sources: [], agents_file: 'agents.md', agents: ['claude-code'], capability_files: ['operating-principles.md'], signed: false, signature: '',
    }, null, 2) + '\n');
    fs.writeFileSync(path.join(dir, 'agents.md'), `# AMP Routing — ${name}\n\n## Always load\n- operating-principles.md — all of it\n\n## Route by task type\n\n| If the task involves... | Load |\n|---|---|\n`);
    const tag = i === count ? '[directive permanent, must, org]' : '[directive must, org, permanent]';
    fs.writeFileSync(path.join(dir, 'memory/operating-principles.md'), `---\ntype: cluster\napplies_to: everything\nsource: self\nprimitive_counts:\n  directive: 1\n---\n\n${tag} In pack ${i}, always count.\n`);
  }
}
