import { defused } from '../../../vocabulary/csv-lines.ts';
import { publicId, type RowId } from '../../../vocabulary/ids.ts';
import { TRADE_FIELDS, TRANSACTION_FIELDS } from '../../../vocabulary/row-fields.ts';
import type { SyncType } from '../../../vocabulary/syncs.ts';
import type { DeliveryRow } from '../delivery-rows.ts';
import { chosenFields, TRADE_VALUES, TRANSACTION_VALUES } from '../row-values.ts';

/** The layout of a sync's rows in files. */
export interface RowLayout {
  /** Prefix of the month in the name of a file, so that rows of two kinds share no file. */
  readonly prefix: string;
  /** The fields that are written, the key among them, by name. */
  readonly fields: ReadonlyMap<string, string>;
  /** The name of the column of row ids. */
  readonly idColumn: string;
}

const UNDATED = 'undated';
const MONTH = /^\d{4}-\d{2}(?=-\d{2}$)/;

export function layoutOf(type: SyncType, columns: readonly string[] | null): RowLayout {
  return type === 'trades'
    ? layout('trades-', TRADE_FIELDS, chosenFields(columns, TRADE_FIELDS, 'trade_id'), 'Trade ID')
    : layout(
        '',
        TRANSACTION_FIELDS,
        chosenFields(columns, TRANSACTION_FIELDS, 'transaction_id'),
        'Transaction ID',
      );
}

function layout(
  prefix: string,
  all: Readonly<Record<string, { readonly header: string; readonly standard: boolean }>>,
  chosen: readonly string[] | null,
  idColumn: string,
): RowLayout {
  const wanted = Object.entries(all).filter(([name, { standard }]) => chosen?.includes(name) ?? standard);
  const order = chosen ?? wanted.map(([name]) => name);
  const headers = new Map(wanted.map(([name, { header }]) => [name, header]));
  return { prefix, fields: new Map(order.map((name) => [name, headers.get(name) ?? name])), idColumn };
}

/** A row to be written to a file. */
export interface EncodedRow {
  /** Without the ending. */
  readonly file: string;
  /** The account's name, for a new folder. */
  readonly account: string;
  /** Cells as they are written, by field. */
  readonly cells: Readonly<Record<string, string>>;
}

export function encodeRow({ prefix, fields }: RowLayout, row: DeliveryRow): string {
  const values =
    row.kind === 'trade'
      ? Object.entries(TRADE_VALUES).map(([name, of]) => [name, of(row)] as const)
      : Object.entries(TRANSACTION_VALUES).map(([name, of]) => [name, of(row)] as const);
  const date = values.find(([name]) => name === 'date')?.[1] ?? '';
  const cells = values.filter(([name]) => fields.has(name)).map(([name, value]) => [name, cellOf(value)]);
  const encoded: EncodedRow = {
    file: `${prefix}${MONTH.exec(date)?.[0] ?? UNDATED}`,
    account: row.account.name,
    cells: Object.fromEntries(cells),
  };
  return JSON.stringify(encoded);
}

/** UTF-8 cannot encode half a surrogate pair, and many programs cannot read NUL. */
function cellOf(value: string | null): string {
  return defused((value ?? '').replaceAll('\0', '\ufffd').toWellFormed());
}

/** @throws TypeError for text that is not from `encodeRow`; it does not repeat the text */
export function decodeRow(text: string): EncodedRow {
  let value: unknown = null;
  try {
    value = JSON.parse(text);
  } catch {
    // Errors of JSON.parse repeat the beginning of the text, which is a row.
  }
  if (!isEncoded(value)) throw new TypeError('an encoded row has an unknown form');
  return value;
}

function isEncoded(value: unknown): value is EncodedRow {
  if (typeof value !== 'object' || value === null) return false;
  if (!('file' in value) || !('account' in value) || !('cells' in value)) return false;
  const { file, account, cells } = value;
  if (typeof file !== 'string' || typeof account !== 'string') return false;
  if (typeof cells !== 'object' || cells === null) return false;
  return Object.values(cells).every((cell) => typeof cell === 'string');
}

/** Names of files of this layout, without the ending. */
export function isFileOf({ prefix }: RowLayout, file: string): boolean {
  const rest = file.startsWith(prefix) ? file.slice(prefix.length) : '';
  return rest === UNDATED || /^\d{4}-\d{2}$/.test(rest);
}

const NAME_CHARACTERS = 40;

/** The name of a new folder for an account: people recognise it by the name, and this service by the id after it. */
export function accountFolder(account: RowId<'account'>, name: string): string {
  const readable = [...name.normalize('NFC').replaceAll(/[^\p{L}\p{N}]+/gu, '-')]
    .slice(0, NAME_CHARACTERS)
    .join('')
    .replaceAll(/^-+|-+$/g, '');
  return `${readable === '' ? 'Account' : readable}-${publicId('account', account)}`;
}
