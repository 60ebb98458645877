import { sql } from 'kysely';
import type { RowId } from '../vocabulary/ids.ts';
import type { Db } from './database.ts';

/** The kinds of objects that carry metadata, and which rows of each count: of some, only those that can be changed. */
const COUNTED = {
  api_keys: () => sql`true`,
  categories: () => sql`true`,
  connections: () => sql`revoked_at is null`,
  destinations: () => sql`true`,
  event_destinations: () => sql`true`,
  link_sessions: (now: Date) => sql`completed_at is null and failed_at is null and expires_at > ${now}`,
  rulesets: () => sql`true`,
  syncs: () => sql`true`,
} as const;

export type MetadataTable = keyof typeof COUNTED;

/** Bytes of the metadata of all of the owner's objects of one kind, written as JSON. */
export async function metadataBytes(
  db: Db,
  table: MetadataTable,
  owner: RowId<'account_record'>,
  now: Date,
): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select coalesce(sum(octet_length(metadata::text)), 0)::float8 as bytes from ${sql.table(table)}
    where account_record = ${owner} and ${COUNTED[table](now)}`.execute(db);
  return rows[0]?.bytes ?? 0;
}
