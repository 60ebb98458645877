import { promisify } from 'node:util';
import { inflateRaw } from 'node:zlib';

const inflate = promisify(inflateRaw);

const END = 0x06054b50;
const END_BYTES = 22;
const LONGEST_COMMENT = 0xffff;
const ENTRY = 0x02014b50;
const ENTRY_BYTES = 46;
const LOCAL = 0x04034b50;
const LOCAL_BYTES = 30;
const STORED = 0;
const DEFLATED = 8;

/**
 * The contents of one file of a ZIP archive (APPNOTE 6.3, without ZIP64 and encryption), by the last part of its path. Null
 * where the archive has none or is damaged. Raises RangeError for contents of more than `most` bytes, whatever the archive
 * says of them.
 */
export async function zipEntry(zip: Buffer, name: string, most: number): Promise<Buffer | null> {
  try {
    const found = entryOf(zip, name);
    if (found === null) return null;
    const { method, bytes } = found;
    if (method === STORED) {
      if (bytes.length > most) throw new RangeError('too many bytes');
      return bytes;
    }
    return method === DEFLATED ? await inflate(bytes, { maxOutputLength: most }) : null;
  } catch (error) {
    if (!(error instanceof RangeError)) return null;
    const readsPastEnd = 'code' in error && error.code === 'ERR_OUT_OF_RANGE';
    if (readsPastEnd) return null;
    throw error;
  }
}

function entryOf(zip: Buffer, name: string): { readonly method: number; readonly bytes: Buffer } | null {
  const end = endOf(zip);
  if (end === null) return null;
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left--) {
    if (zip.readUInt32LE(at) !== ENTRY) return null;
    const nameBytes = zip.readUInt16LE(at + 28);
    const path = zip.toString('utf8', at + ENTRY_BYTES, at + ENTRY_BYTES + nameBytes);
    if (path === name || path.endsWith(`/${name}`)) {
      const local = zip.readUInt32LE(at + 42);
      if (zip.readUInt32LE(local) !== LOCAL) return null;
      const begin = local + LOCAL_BYTES + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
      return {
        method: zip.readUInt16LE(at + 10),
        bytes: zip.subarray(begin, begin + zip.readUInt32LE(at + 20)),
      };
    }
    at += ENTRY_BYTES + nameBytes + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
  return null;
}

/** Where the directory's end record begins, which is last but for a comment. */
function endOf(zip: Buffer): number | null {
  const first = Math.max(0, zip.length - END_BYTES - LONGEST_COMMENT);
  for (let at = zip.length - END_BYTES; at >= first; at--) if (zip.readUInt32LE(at) === END) return at;
  return null;
}
