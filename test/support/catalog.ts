import { sql } from 'kysely';
import type { Db } from '../../src/storage/database.ts';

/**
 * What a schema's tables are, one line for each column, index and constraint, in no particular order of columns: two
 * databases with the same lines behave the same. Without the migrator's own lists.
 */
export async function catalogOf(db: Db, schema = 'public'): Promise<string[]> {
  const { rows } = await sql<{ line: string }>`
    with tables as (
      select c.oid, c.relname, c.relpersistence from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = ${schema} and c.relkind = 'r' and c.relname not like 'kysely%'
    )
    select format('%s.%s %s%s%s %s %s default %s %s', relname, attname, format_type(atttypid, atttypmod),
      case when attcollation = 'pg_catalog."C"'::regcollation then ' collate "C"' else '' end,
      case when attnotnull then ' not null' else '' end, attstorage, attidentity,
      coalesce(pg_get_expr(adbin, adrelid), 'none'), relpersistence) as line
    from pg_attribute join tables on tables.oid = attrelid
      left join pg_attrdef on adrelid = attrelid and adnum = attnum
    where attnum > 0 and not attisdropped
    union all
    select replace(pg_get_indexdef(indexrelid), ${`${schema}.`}, '') from pg_index join tables on tables.oid = indrelid
    union all
    select format('%s %s %s', relname, conname, replace(pg_get_constraintdef(pg_constraint.oid), ${`${schema}.`}, ''))
    from pg_constraint join tables on tables.oid = conrelid`.execute(db);
  return rows.map(({ line }) => line).toSorted();
}
