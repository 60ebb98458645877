import { sql } from 'kysely';
import type { Db } from './database.ts';

/** A column of sealed values of a table whose key is `id`. */
export interface SealedPlace {
  readonly table: string;
  readonly column: string;
}

export interface SealedValue {
  readonly id: string | Uint8Array;
  readonly value: Uint8Array;
}

/** The encryption keys that values of a column are sealed with, and how many values each. */
export async function sealedByKey(
  db: Db,
  place: SealedPlace,
): Promise<{ readonly keyId: string; readonly count: number }[]> {
  const { table, column } = names(place);
  const { rows } = await sql<{ key_id: string; count: number }>`
    select ${keyIdOf(place)} as key_id, count(*)::int as count
    from ${table} where ${column} is not null group by 1`.execute(db);
  return rows.map(({ key_id: keyId, count }) => ({ keyId, count }));
}

/** Those of the columns that the database has: one of an earlier version lacks what later migrations add. */
export async function existingPlaces<Place extends SealedPlace>(
  db: Db,
  places: readonly Place[],
): Promise<readonly Place[]> {
  const { rows } = await sql<{ table: string; column: string }>`
    select relname::text as table, attname::text as column
    from pg_attribute join pg_class class on class.oid = attrelid
    where class.relnamespace = (select oid from pg_namespace where nspname = current_schema()) and class.relkind = 'r' and not attisdropped`.execute(
    db,
  );
  const existing = new Set(rows.map(({ table, column }) => `${table}.${column}`));
  return places.filter(({ table, column }) => existing.has(`${table}.${column}`));
}

/**
 * Each of the columns with each encryption key that values of it are sealed with. One statement for all of them: every
 * start asks, and on the embedded database one for each column takes as long as opening it.
 */
export async function sealedKeys<Place extends SealedPlace>(
  db: Db,
  places: readonly Place[],
): Promise<{ readonly place: Place; readonly keyId: string }[]> {
  if (places.length === 0) return [];
  const parts = places.map((place, at) => {
    const { table, column } = names(place);
    return sql`select distinct ${sql.lit(at)}::int as at, ${keyIdOf(place)} as key_id
      from ${table} where ${column} is not null`;
  });
  const { rows } = await sql<{ at: number; key_id: string }>`${sql.join(parts, sql` union all `)}`.execute(
    db,
  );
  return rows.flatMap(({ at, key_id: keyId }) => {
    const place = places[at];
    return place === undefined ? [] : [{ place, keyId }];
  });
}

/** One value of a column that is sealed under the key. */
export async function anySealedUnder(db: Db, place: SealedPlace, keyId: string): Promise<SealedValue | null> {
  const { table, column } = names(place);
  const { rows } = await sql<SealedValue>`
    select id, ${column} as value from ${table}
    where ${column} is not null and ${keyIdOf(place)} = ${keyId} limit 1`.execute(db);
  return rows[0] ?? null;
}

/** Values of a column sealed under another key than the given one, in the order of ids, after `after`. */
export async function sealedUnderOthers(
  db: Db,
  place: SealedPlace,
  keyId: string,
  page: { readonly after: SealedValue['id'] | null; readonly limit: number },
): Promise<SealedValue[]> {
  const { table, column } = names(place);
  const beyond = page.after === null ? sql`` : sql`and id > ${page.after}`;
  const { rows } = await sql<SealedValue>`
    select id, ${column} as value from ${table}
    where ${column} is not null and ${keyIdOf(place)} <> ${keyId} ${beyond}
    order by id limit ${page.limit}`.execute(db);
  return rows;
}

/** Replaces a value, unless it has changed in the meantime. */
export async function replaceSealed(
  db: Db,
  place: SealedPlace,
  old: SealedValue,
  value: Uint8Array,
): Promise<void> {
  const { table, column } = names(place);
  await sql`update ${table} set ${column} = ${value} where id = ${old.id} and ${column} = ${old.value}`.execute(
    db,
  );
}

function names({ table, column }: SealedPlace) {
  return { table: sql.table(table), column: sql.ref(column) };
}

/** From the first bytes alone (platform/sealing.ts), so that a large value need not be read. */
function keyIdOf({ column }: SealedPlace) {
  const head = sql`substring(${sql.ref(column)} from 1 for 34)`;
  return sql`convert_from(substring(${head} from 3 for get_byte(${head}, 1)), 'LATIN1')`;
}
