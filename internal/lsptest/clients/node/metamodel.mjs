// Checks messages against the protocol's own machine-readable description. The Go library that the server is built on is
// generated from that description too, but this checker is not: what its encoder gets wrong shows here.
import fs from 'node:fs';

export class MetaModel {
  constructor(file) {
    const meta = JSON.parse(fs.readFileSync(file, 'utf8'));
    const byName = (list) => Object.fromEntries(list.map((x) => [x.name, x]));
    const byMethod = (list) => Object.fromEntries(list.map((x) => [x.method, x]));
    this.version = meta.metaData.version;
    this.structures = byName(meta.structures);
    this.enumerations = byName(meta.enumerations);
    this.aliases = byName(meta.typeAliases);
    this.requests = byMethod(meta.requests);
    this.notifications = byMethod(meta.notifications);
  }

  // message returns what is wrong with a message from the server. answered is the method of the call that a response
  // answers, undefined when there is no such call.
  message(m, answered) {
    const bad = m.jsonrpc === '2.0' ? [] : ['jsonrpc is not "2.0"'];
    if (m.method !== undefined) return bad.concat(this.#call(m));
    if (m.id === null) return m.error ? bad : bad.concat('a null id without an error');
    if (answered === undefined) return bad.concat(`an answer to the unknown id ${m.id}`);
    if ('result' in m === 'error' in m) return bad.concat(`${answered}: not exactly one of result and error`);
    const request = this.requests[answered];
    return 'result' in m && request ? bad.concat(this.check(request.result, m.result, answered)) : bad;
  }

  #call(m) {
    const known = (m.id === undefined ? this.notifications : this.requests)[m.method];
    if (!known) return m.method.startsWith('$/') || m.method.startsWith('amp/') ? [] : [`unknown method ${m.method}`];
    if (known.messageDirection === 'clientToServer') return [`${m.method} goes in the other direction`];
    return known.params && !Array.isArray(known.params) ? this.check(known.params, m.params, m.method) : [];
  }

  #properties(name) {
    const s = this.structures[name];
    return [...(s.extends ?? []), ...(s.mixins ?? [])].flatMap((t) => this.#properties(t.name)).concat(s.properties);
  }

  #object(properties, value, at) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return [`${at}: not an object`];
    const known = new Set(properties.map((p) => p.name));
    const bad = Object.keys(value).filter((k) => !known.has(k)).map((k) => `${at}.${k}: not in the protocol`);
    for (const p of properties) {
      if (p.name in value) bad.push(...this.check(p.type, value[p.name], `${at}.${p.name}`));
      else if (!p.optional) bad.push(`${at}.${p.name}: missing`);
    }
    return bad;
  }

  check(type, value, at) {
    switch (type.kind) {
      case 'base': return base[type.name](value) ? [] : [`${at}: ${JSON.stringify(value)} is no ${type.name}`];
      case 'reference': return this.#reference(type.name, value, at);
      case 'array': return Array.isArray(value) ? value.flatMap((x, i) => this.check(type.element, x, `${at}[${i}]`)) : [`${at}: not an array`];
      case 'map': return typeof value === 'object' && value ? Object.entries(value).flatMap(([k, x]) => this.check(type.value, x, `${at}[${k}]`)) : [`${at}: not a map`];
      case 'and': return this.#object(type.items.flatMap((i) => this.#properties(i.name)), value, at);
      case 'tuple': return Array.isArray(value) && value.length === type.items.length ? value.flatMap((x, i) => this.check(type.items[i], x, `${at}[${i}]`)) : [`${at}: not a tuple`];
      case 'literal': return this.#object(type.value.properties, value, at);
      case 'or': {
        const tries = type.items.map((i) => this.check(i, value, at));
        return tries.some((t) => t.length === 0) ? [] : tries.sort((a, b) => a.length - b.length)[0];
      }
      case 'stringLiteral': case 'integerLiteral': case 'booleanLiteral':
        return value === type.value ? [] : [`${at}: not ${JSON.stringify(type.value)}`];
      default: throw new Error(`the checker does not know the kind ${type.kind}`);
    }
  }

  #reference(name, value, at) {
    if (/^LSP(Any|Object|Array)$/.test(name)) return value === undefined ? [`${at}: missing`] : [];
    if (this.structures[name]) return this.#object(this.#properties(name), value, at);
    if (this.aliases[name]) return this.check(this.aliases[name].type, value, at);
    const e = this.enumerations[name];
    const bad = this.check(e.type, value, at);
    return e.supportsCustomValues || e.values.some((x) => x.value === value) ? bad : bad.concat(`${at}: ${value} is no ${name}`);
  }
}

const isInteger = (v) => Number.isInteger(v) && v >= -(2 ** 31) && v < 2 ** 31;
const isURI = (v) => typeof v === 'string' && /^[a-z][a-z0-9+.-]*:/i.test(v);
const base = {
  URI: isURI, DocumentUri: isURI, integer: isInteger, uinteger: (v) => isInteger(v) && v >= 0,
  decimal: (v) => typeof v === 'number', RegExp: (v) => typeof v === 'string', string: (v) => typeof v === 'string',
  boolean: (v) => typeof v === 'boolean', null: (v) => v === null,
};
