import pg from 'pg';
import {
  BALANCE_FIELDS,
  type FieldForm,
  HOLDING_FIELDS,
  TRADE_FIELDS,
  TRANSACTION_FIELDS,
} from '../../../vocabulary/row-fields.ts';
import type { SyncType } from '../../../vocabulary/syncs.ts';
import { DestinationFailure } from '../destination-failure.ts';
import type { Session, TransactionKind } from './client.ts';
import { isMadeMeanwhile } from './failures.ts';

/** A name in a statement, quoted by the driver. */
export function quoted(...names: readonly string[]): string {
  return names.map((name) => pg.escapeIdentifier(name)).join('.');
}

/** A text in a statement without parameters, quoted by the driver. */
export function literal(text: string): string {
  return pg.escapeLiteral(text);
}

/** The longest name that Postgres keeps; it truncates longer ones. */
const NAME_BYTES = 63;

/** A name with a suffix that is no longer than Postgres keeps. */
export function suffixed(name: string, suffix: string): string {
  let kept = name;
  while (Buffer.byteLength(kept + suffix) > NAME_BYTES) kept = [...kept].slice(0, -1).join('');
  return kept + suffix;
}

/** Where rows are written. */
export interface Place {
  readonly schema: string;
  readonly table: string;
}

/** What a table contains. */
export type Contents = SyncType | 'balances';

/** A column that this service writes. */
export interface Field {
  /** Its field in docs/columns.md, and the name of the column unless a person renames it. */
  readonly name: string;
  /** The type that it is created with. */
  readonly sqlType: 'text' | 'numeric' | 'date' | 'timestamptz';
  readonly standard: boolean;
}

const SQL_TYPES: Readonly<Record<FieldForm, Field['sqlType']>> = {
  text: 'text',
  long_text: 'text',
  choice: 'text',
  decimal: 'numeric',
  date: 'date',
};

/** A field's entry in row-fields.ts. */
interface RowField {
  readonly form: FieldForm;
  readonly standard: boolean;
}

const TABLES: Readonly<Record<Contents, Readonly<Record<string, RowField>>>> = {
  transactions: TRANSACTION_FIELDS,
  trades: TRADE_FIELDS,
  holdings: HOLDING_FIELDS,
  balances: BALANCE_FIELDS,
};

/** The fields of a table, in their order: those that the owner chose, or the standard ones. */
export function fieldsOf(contents: Contents, chosen: readonly string[] | null): readonly Field[] {
  const all = Object.entries(TABLES[contents]).map(([name, { form, standard }]): Field => {
    // Elsewhere a timestamp is text, because spreadsheets have no type for it.
    const sqlType = name === 'last_updated' ? 'timestamptz' : SQL_TYPES[form];
    return { name, sqlType, standard };
  });
  if (chosen === null) return all.filter(({ standard }) => standard);
  return chosen.flatMap((name) => all.filter((field) => field.name === name));
}

/** Columns besides those of the fields: the row's key, and its account. */
export const KEY: Field = { name: 'tributary_id', sqlType: 'text', standard: true };
const OWNER: Field = { name: 'tributary_account', sqlType: 'text', standard: true };
/** For snapshots: the sync that wrote the row, since others may write to the same table. */
export const WRITER: Field = { name: 'tributary_sync', sqlType: 'text', standard: true };

/** Where the marks of chunks are (docs/destination-services.md#postgres). */
export const CHUNKS = 'tributary_chunks';

/**
 * Creates the table of marks in the open transaction, unless it exists. Returns its name, quoted. Raises what `ask`
 * raises.
 */
export async function ensureChunks(session: Session, schema: string, signal: AbortSignal): Promise<string> {
  const name = quoted(schema, CHUNKS);
  const [found] = await session.ask('select to_regclass($1)::text as name', [name], signal);
  if (found?.name === null || found?.name === undefined) {
    await session.ask(
      `create table if not exists ${name} (
         event_id text primary key, sync text not null, outcome text, written_at timestamptz not null default now())`,
      [],
      signal,
    );
    await session.ask(
      `comment on table ${name} is 'Which chunks of rows were written; needed for 30 days.'`,
      [],
      signal,
    );
  }
  return name;
}

/** A column of the actual table. */
interface ExistingColumn {
  readonly name: string;
  /** Without its length, so that a text that is too long is refused and not truncated. */
  readonly type: string;
  /** With its length and digits. */
  readonly fullType: string;
  /** Its comment. */
  readonly mark: string | null;
  /** Whether a dedicated index makes it unique, so that `on conflict` can use it. */
  readonly isUnique: boolean;
}

/** A column that was renamed is found by its comment. */
const markOf = (field: Field): string => `tributary: ${field.name}`;

const EXISTING = `
  select a.attname as name, format_type(a.atttypid, a.atttypmod) as full_type,
    case a.atttypid when 'bpchar'::regtype then 'bpchar' else format_type(a.atttypid, null) end as type, col_description(c.oid, a.attnum) as mark,
    exists (select 1 from pg_index i where i.indrelid = c.oid and i.indisunique and i.indisvalid and i.indimmediate
      and i.indpred is null and i.indnkeyatts = 1 and i.indkey[0] = a.attnum)::text as is_unique
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
    left join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      and a.attgenerated = ''
  where n.nspname = $1 and c.relname = $2 and c.relkind in ('r', 'p')
  order by a.attnum`;

/** The columns of a table that can be written; null if there is no such table. */
async function existingColumns(
  session: Session,
  { schema, table }: Place,
  signal: AbortSignal,
): Promise<readonly ExistingColumn[] | null> {
  const rows = await session.ask(EXISTING, [schema, table], signal);
  if (rows.length === 0) return null;
  return rows.flatMap(({ name, type, full_type, mark, is_unique }) =>
    typeof name === 'string'
      ? [
          {
            name,
            type: String(type),
            fullType: String(full_type),
            mark: typeof mark === 'string' ? mark : null,
            isUnique: is_unique === 'true',
          },
        ]
      : [],
  );
}

/** The column of a field: by its mark, which survives renaming, else by its name. */
function columnFor(field: Field, columns: readonly ExistingColumn[]): ExistingColumn | undefined {
  return (
    columns.find(({ mark }) => mark === markOf(field)) ??
    columns.find(({ name, mark }) => name === field.name && !mark?.startsWith('tributary: '))
  );
}

/** Whether every field has its column, and the key is unique. */
function isComplete(columns: readonly ExistingColumn[] | null, fields: readonly Field[]): boolean {
  if (columns === null) return false;
  return fields.every((field) => {
    const column = columnFor(field, columns);
    return column !== undefined && (field !== KEY || column.isUnique);
  });
}

/** Keys are ordered by their bytes, so that reading them in order only needs their index. */
const collationOf = (field: Field): string => (field === KEY ? ' collate "C"' : '');

/**
 * Adds what is missing from the table, or creates it (`makes`), in the open transaction: the table is then complete, or
 * unchanged. Postgres names the indexes: a name of ours may be taken by a table that was renamed. Raises what `ask`
 * raises.
 */
async function completeTable(
  session: Session,
  place: Place,
  fields: readonly Field[],
  { makes }: { readonly makes: boolean },
  signal: AbortSignal,
): Promise<void> {
  const name = quoted(place.schema, place.table);
  const make = makes ? [`create table if not exists ${name} ()`] : [];
  // The lock lets only one process at a time check what is missing and add it.
  await session.run([...make, `lock table ${name} in share row exclusive mode`], signal);
  const found = (await existingColumns(session, place, signal)) ?? [];
  const lacking = fields.filter((field) => columnFor(field, found) === undefined);
  const statements = lacking.flatMap((field) => [
    `alter table ${name} add column ${quoted(field.name)} ${field.sqlType}${collationOf(field)}`,
    `comment on column ${name}.${quoted(field.name)} is ${literal(markOf(field))}`,
  ]);
  const key = columnFor(KEY, found);
  if (key?.isUnique !== true)
    statements.push(`create unique index on ${name} (${quoted(key?.name ?? KEY.name)})`);
  if (lacking.length === fields.length) {
    const hasDate = fields.some((field) => field.name === 'date');
    if (hasDate) statements.push(`create index on ${name} (${quoted('date')}, ${quoted(OWNER.name)})`);
    statements.push(`create index on ${name} (${quoted(OWNER.name)})`);
  }
  if (statements.length > 0) await session.run(statements, signal);
}

/** A field and its column, whatever name and type a person has given it. */
export interface Column extends Pick<ExistingColumn, 'type' | 'fullType'> {
  readonly field: Field;
  /** Quoted. */
  readonly name: string;
}

/** A table with every column that is written. */
export interface Table {
  /** Quoted, with its schema. */
  readonly name: string;
  readonly key: Column;
  readonly owner: Column;
  readonly columns: readonly Column[];
}

/** A table as it is, with the columns that exist. */
export interface ReadTable extends Pick<Table, 'name' | 'key' | 'columns'> {
  readonly owner: Column | null;
}

/**
 * The table with a column for each field, in the open transaction. Missing columns are added, and nothing is dropped,
 * renamed or retyped. Raises DestinationFailure `destination_resource_missing` for a table that does not exist, unless
 * `makes`; and what `ask` raises.
 */
export async function openTable(
  session: Session,
  place: Place,
  fields: readonly Field[],
  { makes }: { readonly makes: boolean },
  signal: AbortSignal,
): Promise<Table> {
  let found = await existingColumns(session, place, signal);
  if (found === null && !makes) throw missingTable();
  const all = [KEY, OWNER, ...fields];
  if (!isComplete(found, all)) {
    await completeTable(session, place, all, { makes }, signal);
    found = await existingColumns(session, place, signal);
  }
  const columns = found ?? [];
  const columnOf = (field: Field): Column => {
    const column = asColumn(field, columns);
    if (column !== null) return column;
    throw new DestinationFailure('run_failed', 'The columns of the table were changed at this moment.', {
      outcome: 'refused',
      retryable: true,
    });
  };
  return {
    name: quoted(place.schema, place.table),
    key: columnOf(KEY),
    owner: columnOf(OWNER),
    columns: fields.map(columnOf),
  };
}

/**
 * The table as it is, with nothing added; null if none of its rows has a key. Raises DestinationFailure
 * `destination_resource_missing` for a table that does not exist, and what `ask` raises.
 */
export async function readTable(
  session: Session,
  place: Place,
  fields: readonly Field[],
  signal: AbortSignal,
): Promise<ReadTable | null> {
  const found = await existingColumns(session, place, signal);
  if (found === null) throw missingTable();
  const key = asColumn(KEY, found);
  if (key === null) return null;
  const columns = fields.map((field) => asColumn(field, found)).filter((column) => column !== null);
  return { name: quoted(place.schema, place.table), key, owner: asColumn(OWNER, found), columns };
}

/**
 * Runs `work` in a transaction that may create tables. If two create the same one at once, they conflict in the
 * catalogue, and it then exists. Raises what `Session.transaction` raises.
 */
export async function makingTables<T>(
  session: Session,
  signal: AbortSignal,
  work: () => Promise<T>,
  kind: TransactionKind = {},
): Promise<T> {
  try {
    return await session.transaction(signal, work, kind);
  } catch (error) {
    if (!isMadeMeanwhile(error)) throw error;
    return session.transaction(signal, work, kind);
  }
}

function asColumn(field: Field, columns: readonly ExistingColumn[]): Column | null {
  const found = columnFor(field, columns);
  if (found === undefined) return null;
  return { field, name: quoted(found.name), type: found.type, fullType: found.fullType };
}

function missingTable(): DestinationFailure {
  return new DestinationFailure(
    'destination_resource_missing',
    'The table does not exist any more, or under another name. Rename it back, or connect another destination.',
    { outcome: 'refused', retryable: false },
  );
}
