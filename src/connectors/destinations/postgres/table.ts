import { DestinationFailure } from '../destination-failure.ts';
import { columnFor, type ExistingColumn, existingColumns, isComplete, markOf } from './existing-columns.ts';
import { isMadeMeanwhile } from './failures.ts';
import { type Field, KEY, OWNER } from './fields.ts';
import { literal, quoted } from './names.ts';
import type { Place } from './place.ts';
import type { Session, TransactionKind } from './session.ts';

/** Keys have the order of their bytes, so that reading them in order needs nothing but their index. */
const collationOf = (field: Field): string => (field === KEY ? ' collate "C"' : '');

/**
 * Adds what the table lacks, or makes it (`makes`), in the open transaction: the table is complete or as it was. Postgres names the
 * indexes: a name of ours may be taken by a table that was renamed. Raises what `ask` raises.
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
  // The lock lets one process at a time look what is lacking and add it.
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

/** A field and the column that holds it, by whatever name and type a person has given it. */
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

/** A table as it is, with those of the columns that it has. */
export interface ReadTable extends Pick<Table, 'name' | 'key' | 'columns'> {
  readonly owner: Column | null;
}

/**
 * The table with a column for each field, in the open transaction. Columns that it lacks are added, and nothing is
 * dropped, renamed or retyped. Raises DestinationFailure `destination_resource_missing` for a table that is not there,
 * unless `makes`; and what `ask` raises.
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
 * The table as it is, with nothing added; null where none of its rows has a key. Raises DestinationFailure
 * `destination_resource_missing` for a table that is not there, and what `ask` raises.
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
 * Runs `work` in a transaction that may make tables. Two that make the same one at once collide in the catalogue, and
 * then it is there. Raises what `Session.transaction` raises.
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
