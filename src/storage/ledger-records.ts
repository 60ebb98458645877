import { packId, unpackId } from './packed-ids.ts';

/** 96 bits of a keyed MAC: enough that a changed row is never taken for an unchanged one. */
const MAC_BYTES = 12;
const MAC_DIGITS = MAC_BYTES * 2;
/** Stands for the MAC of a row of which nobody knows what the destination has. */
const UNKNOWN_MAC = '0'.repeat(MAC_DIGITS);

/**
 * How a row stands at the destination, as the ledger's column `state` has it. Null is a posted row: nearly all rows are,
 * and a null takes no room.
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
 * The MAC and then the id, in hexadecimal digits: one column instead of two saves a row the length of one, and what
 * alignment makes of it. `contentMac` is hexadecimal too, or empty for an unknown one; digits beyond 96 bits are cut.
 */
export function packRecord(contentMac: string, id: string): string {
  return (contentMac === '' ? UNKNOWN_MAC : contentMac.slice(0, MAC_DIGITS)) + packId(id);
}

/** Where the id begins in a record, counted from one, as SQL does. */
export const ID_FROM = MAC_BYTES + 1;

export function idOf(record: Uint8Array): string {
  return unpackId(record.subarray(MAC_BYTES));
}

/** Hexadecimal; empty for an unknown one. */
export function contentMacOf(record: Uint8Array): string {
  const mac = Buffer.from(record.buffer, record.byteOffset, MAC_BYTES).toString('hex');
  return mac === UNKNOWN_MAC ? '' : mac;
}

/** Days since 1970 as the ledger keeps them: in two bytes, counted from 2020, so from 1930 to 2109. */
const FIRST_DAY = 18_262;
const LEAST = -32_768;
const MOST = 32_767;

/** Null, as of a row without a day, where the day lies outside. */
export function packDay(day: number | null): number | null {
  if (day === null) return null;
  const packed = day - FIRST_DAY;
  return packed < LEAST || packed > MOST ? null : packed;
}

export function unpackDay(packed: number | null): number | null {
  return packed === null ? null : packed + FIRST_DAY;
}

/** The same for the ends of a window, which may lie anywhere. */
export function clampDay(day: number): number {
  return Math.min(Math.max(day - FIRST_DAY, LEAST), MOST);
}
