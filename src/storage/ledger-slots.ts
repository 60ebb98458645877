/**
 * Where the ledger stores a row of a stream: under a 32-bit number derived from the row's id, which needs half the
 * index that the id itself would. Two ids of a stream may get the same number, so each has a sequence of numbers, and a
 * row is stored under the first of its sequence that no other row had when it was added. A row whose number precedes
 * another's is never removed from a stream (`pruneRetired`), so a search may stop at the first unused number.
 *
 * The hash is HalfSipHash-1-3 under stream and attempt as the key. That key is not secret: a bank could construct ids
 * that share their first number; each further shared number costs it another 2^32 attempts, and costs us one more query
 * for a page of that bank's own account.
 */
export function slotOf(stream: number, id: string, attempt: number): number {
  let v0 = stream | 0;
  let v1 = Math.imul(attempt + 1, 0x9e3779b9);
  let v2 = 0x6c796765 ^ v0;
  let v3 = 0x74656463 ^ v1;
  let word = 0;
  const { length } = id;
  // There is always a last word: it contains the rest of the text, and its length.
  for (let at = 0; at <= length; at++) {
    word = at < length ? word | (id.charCodeAt(at) << ((at & 3) * 8)) : word | (length << 24);
    if ((at & 3) !== 3 && at < length) continue;
    v3 ^= word;
    v0 = (v0 + v1) | 0;
    v1 = ((v1 << 5) | (v1 >>> 27)) ^ v0;
    v0 = (v0 << 16) | (v0 >>> 16);
    v2 = (v2 + v3) | 0;
    v3 = ((v3 << 8) | (v3 >>> 24)) ^ v2;
    v0 = (v0 + v3) | 0;
    v3 = ((v3 << 7) | (v3 >>> 25)) ^ v0;
    v2 = (v2 + v1) | 0;
    v1 = ((v1 << 13) | (v1 >>> 19)) ^ v2;
    v2 = (v2 << 16) | (v2 >>> 16);
    v0 ^= word;
    word = 0;
  }
  v2 ^= 0xff;
  for (let round = 0; round < 3; round++) {
    v0 = (v0 + v1) | 0;
    v1 = ((v1 << 5) | (v1 >>> 27)) ^ v0;
    v0 = (v0 << 16) | (v0 >>> 16);
    v2 = (v2 + v3) | 0;
    v3 = ((v3 << 8) | (v3 >>> 24)) ^ v2;
    v0 = (v0 + v3) | 0;
    v3 = ((v3 << 7) | (v3 >>> 25)) ^ v0;
    v2 = (v2 + v1) | 0;
    v1 = ((v1 << 13) | (v1 >>> 19)) ^ v2;
    v2 = (v2 << 16) | (v2 >>> 16);
  }
  return v1 ^ v3;
}
