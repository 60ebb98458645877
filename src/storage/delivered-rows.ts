import { isRowId, type RowId } from '../vocabulary/ids.ts';
import { packId, unpackId } from './packed-ids.ts';

/** A row of a delivery: what is needed to find it again, and nothing of its content. */
export interface DeliveredRow {
  readonly id: string;
  readonly removed: boolean;
  /** The pending row that it replaced. */
  readonly replaces: string | null;
}

/** Rows of one account. Days since 1970, both inclusive; null if a row has no day. */
export interface DeliveredRows {
  readonly account: RowId<'account'>;
  readonly days: { readonly first: number; readonly last: number } | null;
  readonly rows: readonly DeliveredRow[];
}

/** The first byte; a new format takes another. */
const VERSION = 1;
const REMOVED = 1;
const REPLACES = 2;
const NO_DAY = -0x80000000;

/** Version, then for each account its UUID, first and last day, number of rows, and each row's flags and packed ids. */
export function packDelivered(accounts: readonly DeliveredRows[]): Buffer {
  // As digits: a buffer for each of many short parts takes longer than to decode the digits of all.
  const parts: string[] = [Buffer.from([VERSION]).toString('hex')];
  for (const { account, days, rows } of accounts) {
    const head = Buffer.alloc(12);
    head.writeInt32BE(days?.first ?? NO_DAY, 0);
    head.writeInt32BE(days?.last ?? NO_DAY, 4);
    head.writeUInt32BE(rows.length, 8);
    parts.push(account.replaceAll('-', ''), head.toString('hex'));
    for (const { id, removed, replaces } of rows) {
      const flags = (removed ? REMOVED : 0) | (replaces === null ? 0 : REPLACES);
      parts.push(`0${flags}`, text(id));
      if (replaces !== null) parts.push(text(replaces));
    }
  }
  return Buffer.from(parts.join(''), 'hex');
}

function text(id: string): string {
  const packed = packId(id);
  return (packed.length / 2).toString(16).padStart(8, '0') + packed;
}

/** @throws TypeError for a format that this version does not know */
export function unpackDelivered(packed: Uint8Array): readonly DeliveredRows[] {
  const bytes = Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength);
  if (bytes[0] !== VERSION) throw new TypeError('rows of a delivery have an unknown form');
  let at = 1;
  const id = (): string => {
    const from = at + 4;
    at = from + bytes.readUInt32BE(at);
    return unpackId(bytes.subarray(from, at));
  };
  const accounts: DeliveredRows[] = [];
  while (at < bytes.length) {
    const account = accountOf(bytes.toString('hex', at, at + 16));
    const first = bytes.readInt32BE(at + 16);
    const last = bytes.readInt32BE(at + 20);
    const count = bytes.readUInt32BE(at + 24);
    at += 28;
    const rows: DeliveredRow[] = [];
    for (let row = 0; row < count; row++) {
      const flags = bytes.readUInt8(at);
      at += 1;
      rows.push({
        id: id(),
        removed: (flags & REMOVED) !== 0,
        replaces: (flags & REPLACES) === 0 ? null : id(),
      });
    }
    accounts.push({ account, days: first === NO_DAY ? null : { first, last }, rows });
  }
  return accounts;
}

function accountOf(hex: string): RowId<'account'> {
  const uuid = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
  if (!isRowId('account', uuid)) throw new TypeError('rows of a delivery name no account');
  return uuid;
}
