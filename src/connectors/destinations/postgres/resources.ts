import { UpstreamFailure } from '../../../vocabulary/upstream-failures.ts';
import type {
  DestinationResource,
  ResourceQuery,
  TargetProblem,
  TargetQuestion,
} from '../destination-contract.ts';
import { targetProblem } from '../kit/failures.ts';
import type { Session } from './client.ts';
import { CHUNKS, KEY } from './table.ts';

const SCHEMAS = `select nspname as name from pg_namespace
  where nspname not like 'pg\\_%' and nspname <> 'information_schema' and has_schema_privilege(oid, 'USAGE')
  order by nspname limit $1::int`;
const SCHEMA = `select 1 as found from pg_namespace where nspname = $1 and has_schema_privilege(oid, 'USAGE')`;
const TABLES = `select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = $1 and c.relkind in ('r', 'p') and not c.relispartition and c.relname <> $2
  order by c.relname limit $3::int`;

/**
 * Whether the user may write there: create the table of chunks if the schema has none, add columns to a table, which
 * only its owner may do, or change the rows of one that already has the key.
 */
const RIGHTS = `select (current_setting('transaction_read_only') = 'on')::text as read_only,
    (has_schema_privilege(n.oid, 'CREATE') or exists (
      select 1 from pg_class own where own.relnamespace = n.oid and own.relname = $3))::text as makes,
    (c.relkind in ('r', 'p') and c.relname <> $3)::text as is_table,
    (pg_has_role(c.relowner, 'USAGE') or (
      has_table_privilege(c.oid, 'SELECT') and has_table_privilege(c.oid, 'INSERT')
      and has_table_privilege(c.oid, 'UPDATE') and has_table_privilege(c.oid, 'DELETE')
      and exists (select 1 from pg_attribute a where a.attrelid = c.oid and a.attname = $4)))::text as writes
  from pg_namespace n left join pg_class c on c.relnamespace = n.oid and c.relname = $2
  where n.nspname = $1 and has_schema_privilege(n.oid, 'USAGE')`;

/** Schemas that the user may use, or the tables of one. */
export async function listResources(
  session: Session,
  { type, parent, limit }: ResourceQuery,
  signal: AbortSignal,
): Promise<readonly DestinationResource[]> {
  if (type === 'schema') return named(await session.ask(SCHEMAS, [String(limit)], signal));
  if (parent === null || (await session.ask(SCHEMA, [parent], signal)).length === 0) {
    throw new UpstreamFailure('bad_request', 'The database has no such schema, or the user may not use it.');
  }
  return named(await session.ask(TABLES, [parent, CHUNKS, String(limit)], signal));
}

function named(rows: Awaited<ReturnType<Session['ask']>>): readonly DestinationResource[] {
  return rows.map(({ name }) => ({ id: String(name), name: String(name), url: null }));
}

/** A table that the user may write to, checked in a transaction that can write. */
export async function checkTable(
  session: Session,
  { target: { schema = '', table = '' } }: TargetQuestion,
  signal: AbortSignal,
): Promise<TargetProblem | null> {
  const [found] = await session.ask(RIGHTS, [schema, table, CHUNKS, KEY.name], signal);
  const inSchema = (message: string) => targetProblem('schema', message);
  const inTable = (message: string) => targetProblem('table', message);
  if (found === undefined) return inSchema('The database has no such schema, or the user may not use it.');
  if (found.read_only === 'true') {
    return inSchema('The database takes no changes: it is a standby, or read-only for this user.');
  }
  if (found.is_table === null) {
    return inTable('The schema has no such table: make it first, or have one made by create_target.');
  }
  if (found.is_table !== 'true') {
    return inTable('Rows can go to a table only, and not to a view or to the table of chunks.');
  }
  if (found.writes !== 'true') return inTable('The user may not write to the table: it must be its own.');
  if (found.makes !== 'true') return inSchema('The user may not make tables in the schema: grant it CREATE.');
  return null;
}
