// The oracle for canonical JSON and payloads: what JavaScript itself does. Reads
// a JSON list of cases from standard input, writes one of results.
//   {json: text}          -> {spec, jsonb} or {error: true}
//   {names: [text, ...]}  -> {sorted: [text, ...]}
const sortKeys = v => {
  if (Array.isArray(v)) return v.map(sortKeys);
  if (v === null || typeof v !== 'object') return v;
  const out = {};
  const keys = Object.keys(v).sort((a, b) => a.length - b.length || (a < b ? -1 : a > b ? 1 : 0));
  for (const k of keys) out[k] = sortKeys(v[k]);
  return out;
};
const cases = JSON.parse(require('fs').readFileSync(0, 'utf8'));
const results = cases.map(c => {
  if (c.names) return {sorted: [...c.names].sort()};
  let m;
  try { m = JSON.parse(c.json); } catch { return {error: true}; }
  const {signed, signature, ...rest} = m;
  return {spec: JSON.stringify(rest), jsonb: JSON.stringify(sortKeys({...rest, signed: true}))};
});
process.stdout.write(JSON.stringify(results));
