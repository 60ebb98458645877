import { UpstreamFailure } from '../../../vocabulary/upstream-failures.ts';
import type { DestinationResource, ResourceQuery } from '../destination-contract.ts';
import { CHUNKS } from './chunk-marks.ts';
import type { Session } from './session.ts';

const SCHEMAS = `select nspname as name from pg_namespace
  where nspname not like 'pg\\_%' and nspname <> 'information_schema' and has_schema_privilege(oid, 'USAGE')
  order by nspname limit $1::int`;
const SCHEMA = `select 1 as found from pg_namespace where nspname = $1 and has_schema_privilege(oid, 'USAGE')`;
const TABLES = `select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = $1 and c.relkind in ('r', 'p') and not c.relispartition and c.relname <> $2
  order by c.relname limit $3::int`;

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
