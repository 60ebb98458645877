import { randomFillSync } from 'node:crypto';

const POOL_IDS = 256;
const ID_BYTES = 12;
const pool = Buffer.alloc(POOL_IDS * ID_BYTES);
let used = POOL_IDS;

/** `req_` plus 24 hex digits of randomness: what a caller quotes and an operator searches the log for. */
export function newRequestId(): string {
  if (used === POOL_IDS) {
    randomFillSync(pool);
    used = 0;
  }
  const start = used * ID_BYTES;
  used += 1;
  return `req_${pool.toString('hex', start, start + ID_BYTES)}`;
}
