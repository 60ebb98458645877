import { type RawBuilder, sql } from 'kysely';
import type { Db, OpenDatabase, Trx } from './database.ts';
import { MAINTENANCE_MS, withStatementDeadline } from './statement-deadline.ts';

/** One table of the copy, and how many rows it had. */
export interface CopiedTable {
  readonly table: string;
  readonly rows: number;
}

/** Why a copy was not started. Nothing was written. */
export class CopyRefused extends Error {
  override readonly name = 'CopyRefused';
}

interface TableToCopy {
  readonly name: string;
  readonly columns: readonly string[];
}

/** Rows copied at once, and their bytes as JSON unless one row alone has more: bounds memory, whatever the table. */
const BATCH_ROWS = 1000;
const BATCH_BYTES = 4 * 1024 * 1024;
/** The migrations applied are recorded in each database itself, and both have applied the same. */
const NOT_COPIED = /^kysely_/;
/**
 * Opening an empty database writes to these tables: its key, and where its simulators are. The source's rows replace
 * them.
 */
const REPLACED = ['key_checks', 'sandbox_place'];

/**
 * Copies every row of `from` into `to`, which has the same schema and is empty, in one transaction: all or nothing. No
 * other process may write to either during the copy. Values are copied as Postgres prints them, so that none passes
 * through a JavaScript number or date. Raises CopyRefused where `to` is not empty or lacks a table.
 */
export async function copyDatabase(from: OpenDatabase, to: OpenDatabase): Promise<readonly CopiedTable[]> {
  const tables = await tablesOf(from.db);
  await refuseUnlessEmpty(to.db, tables);
  const copy = (source: Trx): Promise<readonly CopiedTable[]> =>
    to.db.transaction().execute(async (target) => {
      const copied: CopiedTable[] = [];
      await checkReferences(target, 'deferrable initially deferred');
      for (const table of REPLACED) await sql`delete from ${sql.table(table)}`.execute(target);
      for (const table of tables)
        copied.push({ table: table.name, rows: await copyTable(source, target, table) });
      await sql`set constraints all immediate`.execute(target);
      await checkReferences(target, 'not deferrable');
      await setSequences(target);
      return copied;
    });
  return withStatementDeadline(MAINTENANCE_MS, () => from.db.transaction().execute(copy));
}

async function tablesOf(db: Db): Promise<readonly TableToCopy[]> {
  const { rows } = await sql<TableToCopy>`
    select class.relname::text as name,
      array(select attname::text from pg_attribute
        where attrelid = class.oid and attnum > 0 and not attisdropped and attgenerated = '' order by attnum) as columns
    from pg_class class
    where class.relnamespace = (select oid from pg_namespace where nspname = current_schema()) and class.relkind = 'r'
    order by class.relname`.execute(db);
  return rows.filter(({ name }) => !NOT_COPIED.test(name));
}

async function refuseUnlessEmpty(db: Db, tables: readonly TableToCopy[]): Promise<void> {
  const present = new Set((await tablesOf(db)).map(({ name }) => name));
  for (const { name } of tables) {
    if (!present.has(name)) {
      throw new CopyRefused(`The target has no table ${name}. Run the same version of Tributary on both.`);
    }
    if (REPLACED.includes(name)) continue;
    const { rows } = await sql`select 1 from ${sql.table(name)} limit 1`.execute(db);
    if (rows.length > 0) {
      throw new CopyRefused(
        `The target is not empty: its table ${name} has rows. Give it an empty database.`,
      );
    }
  }
}

/**
 * Rows may refer to rows that are copied later. So foreign keys are checked once everything is there, within the
 * transaction.
 */
async function checkReferences(
  target: Trx,
  when: 'deferrable initially deferred' | 'not deferrable',
): Promise<void> {
  const { rows } = await sql<{ table: string; name: string }>`
    select class.relname::text as table, conname::text as name
    from pg_constraint join pg_class class on class.oid = conrelid
    where class.relnamespace = (select oid from pg_namespace where nspname = current_schema()) and contype = 'f'`.execute(
    target,
  );
  for (const { table, name } of rows)
    await sql`alter table ${sql.table(table)} alter constraint ${sql.ref(name)} ${sql.raw(when)}`.execute(
      target,
    );
}

async function copyTable(source: Trx, target: Trx, { name, columns }: TableToCopy): Promise<number> {
  const list = sql.join(columns.map((column) => sql.ref(column)));
  let copied = 0;
  for await (const places of batches(source, name, list)) {
    const { rows: found } = await sql<{ row: string }>`
      select row_to_json(line)::text as row
      from (select ${list} from ${sql.table(name)} where ctid = any(${`{${places.join(',')}}`}::tid[])) as line`.execute(
      source,
    );
    const rows = found.map(({ row }) => row);
    await sql`
      insert into ${sql.table(name)} (${list}) overriding system value
      select ${list} from json_populate_recordset(null::${sql.table(name)}, ${`[${rows.join(',')}]`}::json)`.execute(
      target,
    );
    copied += rows.length;
  }
  return copied;
}

/**
 * Where the rows of a table are, quoted for an array, in batches that are bounded in rows and bytes. Their lengths come
 * through a cursor first, since one row may have as many bytes as a thousand others; the caller's transaction is the only
 * one, so that rows stay where they are.
 */
async function* batches(source: Trx, table: string, list: RawBuilder<unknown>): AsyncGenerator<string[]> {
  await sql`
    declare copied no scroll cursor for
    select ctid::text as at, octet_length((select row_to_json(line) from (select ${list}) as line)::text) as bytes
    from ${sql.table(table)}`.execute(source);
  let batch: string[] = [];
  let size = 0;
  for (;;) {
    const { rows } = await sql<{ at: string; bytes: number }>`
      fetch ${sql.lit(BATCH_ROWS)} from copied`.execute(source);
    if (rows.length === 0) break;
    for (const { at, bytes } of rows) {
      if (batch.length === BATCH_ROWS || (batch.length > 0 && size + bytes > BATCH_BYTES)) {
        yield batch;
        [batch, size] = [[], 0];
      }
      batch.push(`"${at}"`);
      size += bytes;
    }
  }
  if (batch.length > 0) yield batch;
  await sql`close copied`.execute(source);
}

/** The next value of an identity column follows the highest that was copied. */
async function setSequences(target: Trx): Promise<void> {
  const { rows } = await sql<{ table: string; column: string }>`
    select class.relname::text as table, attname::text as column
    from pg_attribute join pg_class class on class.oid = attrelid
    where class.relnamespace = (select oid from pg_namespace where nspname = current_schema()) and class.relkind = 'r' and attidentity <> ''`.execute(
    target,
  );
  for (const { table, column } of rows) {
    await sql`
      select setval(pg_get_serial_sequence(${table}, ${column}), coalesce(max(${sql.ref(column)}), 0) + 1, false)
      from ${sql.table(table)}`.execute(target);
  }
}
