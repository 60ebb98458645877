import { packId, unpackId } from './packed-ids.ts';

/** The beginning of a record: keyed MACs, before the packed id. */
const MAC_BYTES = 12;
const MAC_DIGITS = MAC_BYTES * 2;
/**
 * A record has one of two forms. The first has 96 bits of the content's MAC; trades and positions still use it. In the
 * second the content's MAC has 64 bits, still enough that a changed row is never mistaken for an unchanged one, and the
 * other 32 bits are the row's pairing MAC (RowMacs.pair). An otherwise unused bit of the id's form byte says which.
 */
const PAIRED = 0x80;
const CONTENT_DIGITS = 16;
/** Replaces the MAC of a row whose content at the destination is unknown. */
const UNKNOWN = /^0*$/;

/**
 * The state of a row at the destination, as in the ledger's column `state`. Null is a posted row: nearly all rows are,
 * and a null takes no space.
 */
export const PENDING = 1;
export const RETIRED_PENDING = 2;
export const RETIRED_POSTED = 3;

export interface LedgerState {
  readonly retired: boolean;
  readonly provisional: boolean;
}

export function stateNumber({ retired, provisional }: LedgerState): number | null {
  if (retired) return provisional ? RETIRED_PENDING : RETIRED_POSTED;
  return provisional ? PENDING : null;
}

export function stateOf(number: number | null): LedgerState {
  return {
    retired: number === RETIRED_PENDING || number === RETIRED_POSTED,
    provisional: number === PENDING || number === RETIRED_PENDING,
  };
}

/**
 * The MACs and then the id, in hexadecimal digits: one column instead of two saves each row a length field and its
 * alignment.
 * @param contentMac hexadecimal, or empty if unknown; further digits are cut off
 * @param pairMac 8 hexadecimal digits, or null for the form without one
 */
export function packRecord(contentMac: string, id: string, pairMac: string | null = null): string {
  const packed = packId(id);
  if (pairMac === null) return contentMac.slice(0, MAC_DIGITS).padEnd(MAC_DIGITS, '0') + packed;
  const form = (Number.parseInt(packed.slice(0, 2), 16) | PAIRED).toString(16);
  return contentMac.slice(0, CONTENT_DIGITS).padEnd(CONTENT_DIGITS, '0') + pairMac + form + packed.slice(2);
}

/** Offset of the id's form byte in a record, from zero, and the bits of it that belong to the id. */
export const ID_FORM_AT = MAC_BYTES;
export const ID_FORM_MASK = PAIRED - 1;

export function idOf(record: Uint8Array): string {
  const packed = Buffer.from(record.subarray(MAC_BYTES));
  if (packed.length > 0) packed.writeUInt8(packed.readUInt8() & ID_FORM_MASK);
  return unpackId(packed);
}

/** Hexadecimal, 24 digits or 16 by the record's form; empty for an unknown one. */
export function contentMacOf(record: Uint8Array): string {
  const digits = isPaired(record) ? CONTENT_DIGITS : MAC_DIGITS;
  const mac = Buffer.from(record.buffer, record.byteOffset, digits / 2).toString('hex');
  return UNKNOWN.test(mac) ? '' : mac;
}

/** 8 hexadecimal digits; null for a record of the first form. */
export function pairMacOf(record: Uint8Array): string | null {
  if (!isPaired(record)) return null;
  return Buffer.from(record.buffer, record.byteOffset, MAC_BYTES).toString('hex').slice(CONTENT_DIGITS);
}

function isPaired(record: Uint8Array): boolean {
  return ((record[MAC_BYTES] ?? 0) & PAIRED) !== 0;
}

/** Whether an entry's MAC, of either length, is that of this content. An unknown MAC matches nothing. */
export function matchesContent(entry: { readonly content_mac: string }, contentMac: string): boolean {
  return entry.content_mac !== '' && contentMac.startsWith(entry.content_mac);
}

/** Days since 1970 as the ledger stores them: in two bytes, counted from 2020, so from 1930 to 2109. */
const FIRST_DAY = 18_262;
const LEAST = -32_768;
const MOST = 32_767;

/** Null, as for a row without a day, if the day is out of range. */
export function packDay(day: number | null): number | null {
  if (day === null) return null;
  const packed = day - FIRST_DAY;
  return packed < LEAST || packed > MOST ? null : packed;
}

export function unpackDay(packed: number | null): number | null {
  return packed === null ? null : packed + FIRST_DAY;
}

/** The same for the ends of a window, which may be any day. */
export function clampDay(day: number): number {
  return Math.min(Math.max(day - FIRST_DAY, LEAST), MOST);
}
