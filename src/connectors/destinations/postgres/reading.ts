import { parsePublicId } from '../../../vocabulary/ids.ts';
import type { SyncType } from '../../../vocabulary/syncs.ts';
import type { ShownPosition, ShownRow, ShownValues } from '../destination-contract.ts';
import type { Answer, Session } from './client.ts';
import { foundBy, valuesOf } from './rows.ts';
import { type Column, type Field, type Place, type ReadTable, readTable } from './table.ts';

const PAGE = 1000;
const DECIMAL = /^([+-]?)0*(\d+)(?:\.(\d*?)0*)?$/;
const READ_ONLY = { readOnly: true } as const;

/** What a row shows once it is written. */
export function shownOf(fields: readonly Field[], text: string): ShownValues {
  const values = valuesOf(text);
  return Object.fromEntries(fields.map((field) => [field.name, comparable(field, values[field.name])]));
}

/** A value as it is compared: decimals without insignificant zeros and signs, whatever the type of the column. */
function comparable({ sqlType }: Field, value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const [, sign = '', whole, rest = ''] = sqlType === 'numeric' ? (DECIMAL.exec(value) ?? []) : [];
  if (whole === undefined) return value;
  const digits = rest === '' ? whole : `${whole}.${rest}`;
  return sign === '-' && /[1-9]/.test(digits) ? `-${digits}` : digits;
}

/** What is read, in the sync's names. */
interface Reading {
  readonly place: Place;
  readonly fields: readonly Field[];
  readonly type: SyncType;
}

/**
 * Rows that have one of our keys, in the order of their keys, a thousand at a time. Fields without a column are left
 * out. Writes nothing. Raises DestinationFailure `destination_resource_missing`, and what `Session.transaction` raises.
 */
export async function* existingRows(
  session: Session,
  { place, fields, type }: Reading,
  signal: AbortSignal,
): AsyncGenerator<readonly ShownRow[]> {
  const find = () => readTable(session, place, fields, signal);
  const table = await session.transaction(signal, find, READ_ONLY);
  if (table === null) return;
  for (let after: string | null = null; ; ) {
    const statement = pageStatement(table, after);
    const values: readonly string[] = after === null ? [] : [after];
    const read = () => session.ask(statement, values, signal);
    const rows: readonly Answer[] = await session.transaction(signal, read, READ_ONLY);
    if (rows.length === 0) return;
    yield rows.map((row): ShownRow => {
      const key = String(row.id);
      const account = typeof row.account === 'string' ? row.account : null;
      const values = table.columns.map(({ field }, at) => [field.name, comparable(field, row[`v${at}`])]);
      const found = { ...foundBy(key, account), where: key, values: Object.fromEntries(values) };
      const position = type === 'holdings' ? positionOf(key, account) : null;
      return position === null ? found : { ...found, position };
    });
    after = String(rows.at(-1)?.id);
    if (rows.length < PAGE) return;
  }
}

function positionOf(key: string, owner: string | null): ShownPosition | null {
  const account = owner === null ? null : parsePublicId('account', owner);
  if (account === null) return null;
  return { account, id: key.startsWith(`${owner}/`) ? key.slice(`${owner}/`.length) : key };
}

function pageStatement({ name, key, owner, columns }: ReadTable, after: string | null): string {
  const shown = columns.map((column, at) => `${textOf(column)} as v${at}`);
  const account = owner === null ? 'null' : `${owner.name}::text`;
  const rest = after === null ? `${key.name} is not null` : `${key.name} > $1::${key.type}`;
  return `select ${[`${key.name}::text as id`, `${account} as account`, ...shown].join(', ')} from ${name}
    where ${rest} order by ${key.name} limit ${PAGE}`;
}

/** What a column shows, in the format of the original type of its field. */
function textOf({ field, name, type }: Column): string {
  if (field.sqlType === 'date' && type.startsWith('timestamp')) return `${name}::date::text`;
  if (field.sqlType !== 'numeric') return `${name}::text`;
  if (type === 'money') return `${name}::numeric::text`;
  return type === 'real' || type === 'double precision' ? `${name}::text::numeric::text` : `${name}::text`;
}
