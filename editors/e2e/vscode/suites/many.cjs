// 300 packs in one workspace; only the last holds a finding.
const assert = require('node:assert/strict');
const { api, code, open, ours, suite, until } = require('./run.cjs');

exports.run = suite('300 packs', {
  async 'the server starts, and a finding in the last pack shows within 20 seconds'() {
    const { ready } = await api();
    const started = Date.now();
    assert.equal(await ready, true);
    const document = await open('pack-300', 'memory', 'operating-principles.md');
    const found = await until('facet-order', () => ours(document).find((d) => code(d) === 'facet-order'));
    assert.equal(document.getText(found.range), 'permanent');
    const took = Date.now() - started;
    assert.ok(took < 20000, `${took} ms`);
    return `${took} ms`;
  },
});
