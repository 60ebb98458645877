import { sql } from 'kysely';
import { SchemaError } from '../vocabulary/store-unavailable.ts';
import type { Db, OpenDatabase } from './database.ts';
import * as identity from './migrations/0101-identity.ts';
import * as linking from './migrations/0102-linking.ts';
import * as destinations from './migrations/0103-destinations.ts';
import * as syncing from './migrations/0104-syncing.ts';
import * as rules from './migrations/0105-rules.ts';
import * as events from './migrations/0106-events.ts';
import * as apps from './migrations/0107-apps.ts';
import * as documents from './migrations/0108-documents.ts';
import * as service from './migrations/0109-service.ts';
import * as scale from './migrations/0110-scale.ts';
import * as eventBatches from './migrations/0111-event-batches.ts';
import { type ApplyOptions, applyChanges, pendingOf, type SchemaChanges } from './schema-changes.ts';

/** In order: the tables of version 1.0.0, then what changed since. A name once released never changes. */
const MIGRATIONS: SchemaChanges = {
  '0101-identity': identity,
  '0102-linking': linking,
  '0103-destinations': destinations,
  '0104-syncing': syncing,
  '0105-rules': rules,
  '0106-events': events,
  '0107-apps': apps,
  '0108-documents': documents,
  '0109-service': service,
  '0110-scale': scale,
  '0111-event-batches': eventBatches,
};

/** What versions before the first release called their first migration. */
const BEFORE_RELEASE = '0001-identity';

export interface MigrateOptions extends Pick<ApplyOptions, 'onWait'> {
  /**
   * Called if there is something to apply, once no other process migrates; what it raises leaves the database as it is.
   */
  readonly beforeChange?: () => Promise<void>;
}

/**
 * Brings the schema to the newest version, under the migration lock. Returns the names applied now.
 * @throws SchemaError if a newer version, or something else, has created the tables; MigrationBlocked if other users of
 * a Postgres database kept a lock
 */
export async function migrate(
  database: Pick<OpenDatabase, 'db' | 'kind'>,
  { beforeChange = async () => undefined, onWait = () => undefined }: MigrateOptions = {},
): Promise<string[]> {
  // Kysely searches the columns of all tables for its own tables, twice, before it finds that nothing is left to do.
  if (await isNewest(database.db)) return [];
  const whenAlone = async () => {
    // A process of this version may have migrated meanwhile, or one of a newer version.
    if (!(await isNewest(database.db))) await beforeChange();
  };
  return applyChanges(database, MIGRATIONS, { onWait, whenAlone });
}

async function isNewest(db: Db): Promise<boolean> {
  const applied = await requireKnown(db);
  return Object.keys(MIGRATIONS).every((name) => applied.has(name));
}

/** Names of migrations not applied yet. */
export function pendingMigrations(db: Db): Promise<string[]> {
  return pendingOf(db, MIGRATIONS);
}

/** Names of migrations applied, all known to this version. */
async function requireKnown(db: Db): Promise<ReadonlySet<string>> {
  const { rows: tables } = await sql<{ migrations: boolean; records: boolean }>`
    select to_regclass('kysely_migration') is not null as migrations,
      to_regclass('account_records') is not null as records`.execute(db);
  const applied = tables[0]?.migrations
    ? (await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db)).rows
    : [];
  if (tables[0]?.records === true && applied.length === 0) {
    throw new SchemaError(
      'The database has a table "account_records" but no list of the migrations that made it, so it was not made by ' +
        'Tributary or was restored in part. Restore it in full, or use another database.',
    );
  }
  if (applied.some(({ name }) => name === BEFORE_RELEASE)) {
    throw new SchemaError(
      'The database was made by a version of Tributary from before the first release, which no release opens. Start ' +
        'with an empty database or data directory, and link banks and destinations again.',
    );
  }
  const unknown = applied.map(({ name }) => name).filter((name) => !Object.hasOwn(MIGRATIONS, name));
  if (unknown.length > 0) {
    throw new SchemaError(
      `The database was changed by a newer version of Tributary or by another program. This version does not know ` +
        `${unknown.map((name) => `"${name}"`).join(', ')}. Start the version that made the change, or a newer one. ` +
        'To go back to this version, restore the backup made before the upgrade.',
    );
  }
  return new Set(applied.map(({ name }) => name));
}
