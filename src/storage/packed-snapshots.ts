import { contentMacOf, idOf, packDay, packRecord, pairMacOf, unpackDay } from './ledger-records.ts';

/** What a snapshot has of one row. MACs in hexadecimal. */
export interface SnapshotRow {
  readonly id: string;
  readonly contentMac: string;
  /** As RowMacs.pair; null for a row without one. */
  readonly pairMac: string | null;
  /** Of a pending row, as RowMacs.match; null for a posted one. */
  readonly matchMac: string | null;
  readonly provisional: boolean;
  /** Days since 1970: of the posting or, for a pending row, of the purchase. Null if unknown. */
  readonly day: number | null;
  /** When it was first missing from a read, in epoch milliseconds; null while the bank has it. */
  readonly missingSince: number | null;
}

/** The first byte. A reader supports every version ever released. */
const VERSION = 1;
const PROVISIONAL = 1;
const HAS_DAY = 2;
const MISSING = 4;
const HAS_MATCH = 8;
const MATCH_BYTES = 12;
/** Of a row: flags, length of the record, day, time in seconds, MAC. */
const MOST_FIXED_BYTES = 1 + 2 + 2 + 6 + MATCH_BYTES;

/**
 * The rows as bytes: of each its flags, its record as in the ledger (ledger-records.ts), which contains MACs and id, and
 * what the flags name. About 50 bytes for a row of a bank.
 */
export function packSnapshot(rows: Iterable<SnapshotRow>): Buffer {
  const parts: Buffer[] = [Buffer.from([VERSION])];
  for (const row of rows) parts.push(packedRow(row));
  return Buffer.concat(parts);
}

function packedRow({ id, contentMac, pairMac, matchMac, provisional, day, missingSince }: SnapshotRow) {
  const record = Buffer.from(packRecord(contentMac, id, pairMac), 'hex');
  const packedDay = packDay(day);
  const bytes = Buffer.allocUnsafe(MOST_FIXED_BYTES + record.length);
  const flags =
    (provisional ? PROVISIONAL : 0) |
    (packedDay === null ? 0 : HAS_DAY) |
    (missingSince === null ? 0 : MISSING) |
    (matchMac === null ? 0 : HAS_MATCH);
  let at = bytes.writeUInt8(flags, 0);
  at = bytes.writeUInt16BE(record.length, at);
  at += record.copy(bytes, at);
  if (packedDay !== null) at = bytes.writeInt16BE(packedDay, at);
  if (missingSince !== null) at = bytes.writeUIntBE(Math.floor(missingSince / 1000), at, 6);
  if (matchMac !== null) at += bytes.write(matchMac, at, MATCH_BYTES, 'hex');
  return bytes.subarray(0, at);
}

/** The rows by id, in the order they were packed. Raises a TypeError for bytes that `packSnapshot` never produces. */
export function unpackSnapshot(packed: Uint8Array): Map<string, SnapshotRow> {
  const bytes = Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength);
  if (bytes[0] !== VERSION) throw new TypeError('a snapshot has an unknown form');
  const rows = new Map<string, SnapshotRow>();
  for (let at = 1; at < bytes.length; ) {
    const flags = bytes.readUInt8(at);
    const end = at + 3 + bytes.readUInt16BE(at + 1);
    const record = bytes.subarray(at + 3, end);
    at = end;
    const has = (flag: number, length: number): number | null => {
      if ((flags & flag) === 0) return null;
      at += length;
      return at - length;
    };
    const dayAt = has(HAS_DAY, 2);
    const missingAt = has(MISSING, 6);
    const matchAt = has(HAS_MATCH, MATCH_BYTES);
    const id = idOf(record);
    rows.set(id, {
      id,
      contentMac: contentMacOf(record),
      pairMac: pairMacOf(record),
      matchMac: matchAt === null ? null : bytes.toString('hex', matchAt, matchAt + MATCH_BYTES),
      provisional: (flags & PROVISIONAL) !== 0,
      day: dayAt === null ? null : unpackDay(bytes.readInt16BE(dayAt)),
      missingSince: missingAt === null ? null : bytes.readUIntBE(missingAt, 6) * 1000,
    });
  }
  return rows;
}
