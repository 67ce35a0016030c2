// Makes the broken pack in a folder and prints what the clients' tests expect, as shell assignments.   node make-pack.mjs DIR
import { brokenPack, EXTRA, ORDER, ORDER_FIXED } from './packs.mjs';

const quote = (s) => `'${s.replaceAll("'", "'\\''")}'`;
const pack = brokenPack(process.argv[2]);
for (const [k, v] of Object.entries({ E2E_PACK: pack, E2E_ORDER: ORDER, E2E_FIXED: ORDER_FIXED, E2E_EXTRA: EXTRA })) console.log(`export ${k}=${quote(v)}`);
