// Writes the TextMate grammar in the form that Sublime Text reads.   node plist.mjs [--check]
// --check: fails when the written file is not what the grammar gives.
import fs from 'node:fs';
import path from 'node:path';

const from = path.join(import.meta.dirname, 'amp.tmLanguage.json');
const to = path.join(import.meta.dirname, '../sublime/AMP.tmLanguage');

const escape = (s) => s.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');

function plist(value, indent) {
  const pad = '  '.repeat(indent);
  if (typeof value === 'string') return `${pad}<string>${escape(value)}</string>`;
  if (typeof value === 'number') return `${pad}<integer>${value}</integer>`;
  if (Array.isArray(value)) return `${pad}<array>\n${value.map((v) => `${plist(v, indent + 1)}\n`).join('')}${pad}</array>`;
  const entries = Object.entries(value).map(([k, v]) => `${pad}  <key>${escape(k)}</key>\n${plist(v, indent + 1)}\n`);
  return `${pad}<dict>\n${entries.join('')}${pad}</dict>`;
}

const { $schema, ...grammar } = JSON.parse(fs.readFileSync(from, 'utf8'));
const text = `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<!-- Written by editors/grammars/plist.mjs from amp.tmLanguage.json. -->
<plist version="1.0">
${plist(grammar, 0)}
</plist>
`;

if (process.argv.includes('--check')) {
  if (fs.readFileSync(to, 'utf8') !== text) {
    console.error(`${path.relative(process.cwd(), to)} is not what the grammar gives: run node plist.mjs`);
    process.exit(1);
  }
} else fs.writeFileSync(to, text);
