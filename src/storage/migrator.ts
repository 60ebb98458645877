import { type Migration, Migrator } from 'kysely/migration';
import type { Db } from './database.ts';
import * as identity from './migrations/0001-identity.ts';
import * as linking from './migrations/0002-linking.ts';
import * as syncing from './migrations/0003-syncing.ts';
import * as idempotency from './migrations/0004-idempotency.ts';
import * as rateLimits from './migrations/0005-rate-limits.ts';
import * as categories from './migrations/0006-categories.ts';
import * as rulesets from './migrations/0007-rulesets.ts';
import * as destinationLinks from './migrations/0008-destination-links.ts';

/** In order; a name once released never changes. */
const MIGRATIONS: Readonly<Record<string, Migration>> = {
  '0001-identity': identity,
  '0002-linking': linking,
  '0003-syncing': syncing,
  '0004-idempotency': idempotency,
  '0005-rate-limits': rateLimits,
  '0006-categories': categories,
  '0007-rulesets': rulesets,
  '0008-destination-links': destinationLinks,
};

/** Brings the schema to the newest version, under the migration lock. Returns the names applied now. */
export async function migrate(db: Db): Promise<string[]> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => ({ ...MIGRATIONS }) } });
  const { error, results } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
  return (results ?? [])
    .filter((result) => result.status === 'Success')
    .map((result) => result.migrationName);
}

/** Names of migrations not applied yet. */
export async function pendingMigrations(db: Db): Promise<string[]> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => ({ ...MIGRATIONS }) } });
  return (await migrator.getMigrations())
    .filter((entry) => entry.executedAt === undefined)
    .map((entry) => entry.name);
}
