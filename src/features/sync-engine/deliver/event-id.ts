import { createHash } from 'node:crypto';
import { keyedMac } from '../../../platform/keyed-mac.ts';
import type { RowId } from '../../../vocabulary/ids.ts';

/** Ours alone, drawn once at random, as RFC 9562 section 6.6 asks of a name space. */
const NAME_SPACE = Buffer.from('8f6c1d0a5a0e4f6b9b5a2c1b7e3d4f90', 'hex');

/**
 * The id of a chunk's event: a UUIDv5 (RFC 9562 section 5.5) over run, chunk number and a keyed MAC of the ordered
 * record ids, so that the same chunk built twice has one id and another chunk has another.
 */
export function eventIdOf(
  macKey: Buffer,
  run: RowId<'sync_run'>,
  chunk: number,
  ids: readonly string[],
): string {
  const mac = keyedMac(macKey, ...ids).toString('hex');
  const bytes = createHash('sha1')
    .update(NAME_SPACE)
    .update(`${run}:${chunk}:${mac}`)
    .digest()
    .subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x50, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
