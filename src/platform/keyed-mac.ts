import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * HMAC-SHA256 (RFC 2104) over a list of parts. Each part is preceded by its length in bytes, so no two
 * different lists give the same input: ('ab', 'c') and ('a', 'bc') differ.
 */
export function keyedMac(key: Buffer, ...parts: readonly (string | Buffer)[]): Buffer {
  const mac = createHmac('sha256', key);
  for (const part of parts) {
    const length = Buffer.allocUnsafe(4);
    length.writeUInt32BE(typeof part === 'string' ? Buffer.byteLength(part) : part.length);
    mac.update(length).update(part);
  }
  return mac.digest();
}

/** Whether two byte strings are equal, in constant time. */
export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}
