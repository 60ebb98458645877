import { sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { SchemaError } from '../vocabulary/store-unavailable.ts';
import type { Db } from './database.ts';
import { moveFormerJobs } from './jobs.ts';
import * as identity from './migrations/0001-identity.ts';
import * as linking from './migrations/0002-linking.ts';
import * as syncing from './migrations/0003-syncing.ts';
import * as idempotency from './migrations/0004-idempotency.ts';
import * as rateLimits from './migrations/0005-rate-limits.ts';
import * as categories from './migrations/0006-categories.ts';
import * as rulesets from './migrations/0007-rulesets.ts';
import * as destinationLinks from './migrations/0008-destination-links.ts';
import * as earlierVariants from './migrations/0008-earlier-variants.ts';
import * as slimLedger from './migrations/0009-slim-ledger.ts';
import * as wholeHistory from './migrations/0010-whole-history.ts';
import * as linkEndUsers from './migrations/0011-link-end-users.ts';
import * as sealedTargets from './migrations/0015-sealed-targets.ts';
import * as staleStreams from './migrations/0017-stale-streams.ts';
import * as vendorCustomers from './migrations/0018-vendor-customers.ts';
import * as actors from './migrations/0020-actors.ts';
import * as destinationGrants from './migrations/0021-destination-grants.ts';
import * as destinationCreations from './migrations/0022-destination-creations.ts';
import * as consentEndUsers from './migrations/0023-consent-end-users.ts';
import * as providerNotifications from './migrations/0024-provider-notifications.ts';
import * as grantRevocations from './migrations/0025-grant-revocations.ts';
import * as syncSchedules from './migrations/0026-sync-schedules.ts';
import * as events from './migrations/0027-events.ts';
import * as webhookDeliveries from './migrations/0028-webhook-deliveries.ts';
import * as simplefinApps from './migrations/0029-simplefin-apps.ts';
import * as askedListings from './migrations/0030-asked-listings.ts';
import * as people from './migrations/0031-people.ts';
import * as oauth from './migrations/0032-oauth.ts';
import * as latestFailures from './migrations/0033-latest-failures.ts';
import * as accountRemovals from './migrations/0034-account-removals.ts';
import * as operators from './migrations/0035-operators.ts';
import * as sessionBrowsers from './migrations/0036-session-browsers.ts';
import * as rejectedRows from './migrations/0037-rejected-rows.ts';
import * as vendorPauses from './migrations/0039-vendor-pauses.ts';
import * as categoryTreeVersions from './migrations/0040-category-tree-versions.ts';
import * as balanceSigns from './migrations/0041-balance-signs.ts';
import * as rowIdentity from './migrations/0042-row-identity.ts';
import * as simplefinDecimals from './migrations/0043-simplefin-decimals.ts';
import * as retiredRows from './migrations/0044-retired-rows.ts';
import * as workerProcesses from './migrations/0046-worker-processes.ts';
import * as simplefinExtra from './migrations/0048-simplefin-extra.ts';
import * as auditEvents from './migrations/0049-audit-events.ts';
import * as secondFactors from './migrations/0050-second-factors.ts';
import * as keyChecks from './migrations/0051-key-checks.ts';
import * as sandboxPlace from './migrations/0052-sandbox-place.ts';
import * as jobs from './migrations/0053-jobs.ts';
import * as notifications from './migrations/0054-notifications.ts';
import * as recordNames from './migrations/0056-record-names.ts';
import * as notifiedTransactions from './migrations/0057-notified-transactions.ts';
import { MAINTENANCE_MS, withStatementDeadline } from './statement-deadline.ts';

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
  '0008-earlier-variants': earlierVariants,
  '0009-slim-ledger': slimLedger,
  '0010-whole-history': wholeHistory,
  '0011-link-end-users': linkEndUsers,
  '0015-sealed-targets': sealedTargets,
  '0017-stale-streams': staleStreams,
  '0018-vendor-customers': vendorCustomers,
  '0020-actors': actors,
  '0021-destination-grants': destinationGrants,
  '0022-destination-creations': destinationCreations,
  '0023-consent-end-users': consentEndUsers,
  '0024-provider-notifications': providerNotifications,
  '0025-grant-revocations': grantRevocations,
  '0026-sync-schedules': syncSchedules,
  '0027-events': events,
  '0028-webhook-deliveries': webhookDeliveries,
  '0029-simplefin-apps': simplefinApps,
  '0030-asked-listings': askedListings,
  '0031-people': people,
  '0032-oauth': oauth,
  '0033-latest-failures': latestFailures,
  '0034-account-removals': accountRemovals,
  '0035-operators': operators,
  '0036-session-browsers': sessionBrowsers,
  '0037-rejected-rows': rejectedRows,
  '0039-vendor-pauses': vendorPauses,
  '0040-category-tree-versions': categoryTreeVersions,
  '0041-balance-signs': balanceSigns,
  '0042-row-identity': rowIdentity,
  '0043-simplefin-decimals': simplefinDecimals,
  '0044-retired-rows': retiredRows,
  '0046-worker-processes': workerProcesses,
  '0048-simplefin-extra': simplefinExtra,
  '0049-audit-events': auditEvents,
  '0050-second-factors': secondFactors,
  '0051-key-checks': keyChecks,
  '0052-sandbox-place': sandboxPlace,
  '0053-jobs': jobs,
  '0054-notifications': notifications,
  '0056-record-names': recordNames,
  '0057-notified-transactions': notifiedTransactions,
};

/**
 * Brings the schema to the newest version, under the migration lock. Returns the names applied now.
 * @throws SchemaError if a newer version, or something else, has created the tables
 */
export async function migrate(db: Db): Promise<string[]> {
  const applied = await requireKnown(db);
  // Kysely searches the columns of all tables for its own tables, twice, before it finds that nothing is left to do.
  const isNewest = Object.keys(MIGRATIONS).every((name) => applied.has(name));
  const names = isNewest ? [] : await migrateToLatest(db);
  await moveFormerJobs(db);
  return names;
}

async function migrateToLatest(db: Db): Promise<string[]> {
  const { error, results } = await withStatementDeadline(MAINTENANCE_MS, () =>
    migratorOf(db).migrateToLatest(),
  );
  if (error !== undefined) throw error;
  return (results ?? [])
    .filter((result) => result.status === 'Success')
    .map((result) => result.migrationName);
}

/** Names of migrations not applied yet. */
export async function pendingMigrations(db: Db): Promise<string[]> {
  return (await migratorOf(db).getMigrations())
    .filter((entry) => entry.executedAt === undefined)
    .map((entry) => entry.name);
}

/**
 * Branches are merged in any order, so a database may have a higher number before a lower one; none builds on another's
 * gap.
 */
function migratorOf(db: Db): Migrator {
  const getMigrations = async () => ({ ...MIGRATIONS });
  return new Migrator({ db, provider: { getMigrations }, allowUnorderedMigrations: true });
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
