import { randomUUID } from 'node:crypto';
import type { AccountRemoval } from '../features/account-removal/account-removal.ts';
import type { Changes } from '../features/changes/changes.ts';
import type { GrantRevocations } from '../features/destinations/grant-revocations.ts';
import type { DocumentRetention } from '../features/documents/create-documents.ts';
import type { EventDeliveries } from '../features/event-destinations/event-deliveries.ts';
import type { EventFanOut } from '../features/event-destinations/event-fan-out.ts';
import type { Idempotency } from '../features/idempotency/idempotency.ts';
import type { Linking } from '../features/linking/linking.ts';
import type { NotificationDelivery } from '../features/notifications/notification-delivery.ts';
import type { Notifications } from '../features/notifications/notifications.ts';
import type { Backups } from '../features/operator/backups.ts';
import type { RateLimits } from '../features/rate-limits/rate-limits.ts';
import type { SyncEngine } from '../features/sync-engine/run/sync-engine.ts';
import type { SyncRuns } from '../features/syncs/sync-runs.ts';
import type { Clock } from '../platform/clock.ts';
import type { Role } from '../platform/config.ts';
import type { Log } from '../platform/log.ts';
import type { Tracing } from '../platform/tracing.ts';
import { accountRecordsBeingRemoved } from '../storage/account-removals.ts';
import type { OpenDatabase } from '../storage/database.ts';
import { voidEventDestinationLeases } from '../storage/event-destination-leases.ts';
import {
  ACCOUNT_REMOVAL,
  GRANT_REVOCATION,
  NOTIFICATION,
  PROVIDER_DATA,
  SYNC_NEW_DATA,
} from '../storage/job-queues.ts';
import type { Jobs } from '../storage/jobs.ts';
import type { Notices } from '../storage/notices.ts';
import { beatWorker, endWorker } from '../storage/processes.ts';
import type { Upkeep } from '../storage/upkeep.ts';
import type { Limits } from '../vocabulary/limits.ts';
import { startAccountImport } from './account-import.ts';
import { workConnectionCleanup } from './connection-cleanup.ts';
import { FanOutWork } from './event-fan-out.ts';
import { Receivers } from './event-receivers.ts';
import { deleteOldEvents, deleteStaleRowsInBatches, expireOnce } from './expiries.ts';
import { JobWorkers } from './job-workers.ts';
import { isDoneBy, Periodic, type PeriodicName } from './periodic.ts';
import { Runs } from './runs.ts';
import { Schedules } from './schedules.ts';

/** Records which credentials were used, and stores that on request. */
interface LastUseWriter {
  flushLastUsed(): Promise<void>;
}

interface Sweep {
  run(): Promise<void>;
}

export interface BackgroundParts {
  readonly database: OpenDatabase;
  readonly clock: Clock;
  readonly log: Log;
  readonly tracing: Tracing;
  readonly limits: Limits;
  readonly jobs: Jobs;
  readonly notices: Notices;
  readonly idempotency: Idempotency;
  readonly changes: Pick<Changes, 'prune'>;
  readonly authenticators: readonly LastUseWriter[];
  readonly rateLimits: RateLimits;
  readonly signInSweep: Sweep;
  readonly oauthSweep: Sweep;
  /** Null if the database server does its own upkeep. */
  readonly upkeep: Upkeep | null;
  readonly backups: Backups;
  readonly linking: Linking;
  readonly documentRetention: DocumentRetention;
  readonly grantRevocations: GrantRevocations;
  readonly accountRemoval: AccountRemoval;
  readonly eventFanOut: EventFanOut;
  readonly eventDeliveries: EventDeliveries;
  readonly notifications: Notifications;
  readonly notificationDelivery: NotificationDelivery;
  readonly syncRuns: SyncRuns;
  readonly syncEngine: SyncEngine;
}

/**
 * Starts the automatic work of these roles (docs/background-work.md), after the notices and the job queue. The stack
 * stops it in reverse: runs first, at their next chunk, because they use everything else.
 *
 * @param deadlineMs how long runs and deliveries in progress are waited for, read when they are stopped
 */
export async function startBackgroundWork(
  parts: BackgroundParts,
  roles: readonly Role[],
  deadlineMs: () => number,
): Promise<AsyncDisposableStack> {
  await using started = new AsyncDisposableStack();
  const { database, clock, limits, linking } = parts;
  const { db } = database;
  const alone = database.kind === 'embedded';
  const repeat = (name: PeriodicName, work: (signal: AbortSignal) => Promise<void>): void => {
    if (!isDoneBy(name, roles)) return;
    const periodic = new Periodic(parts, name, work);
    periodic.start();
    started.defer(() => periodic.stop());
  };
  const isWorker = roles.includes('worker');

  repeat('past rate limits', () => parts.rateLimits.sweep());
  // The process that had claimed them is dead.
  if (alone) await parts.idempotency.freeAll();
  repeat('unused change cursors', () => parts.changes.prune());
  repeat('idempotency keys', () => parts.idempotency.prune());
  const flush = () => flushLastUsed(parts);
  if (roles.includes('api')) started.defer(() => flushAtLast(parts));
  repeat('use of keys', flush);
  repeat('expired tokens of apps', () => parts.oauthSweep.run());
  repeat('ended sessions and links', () => parts.signInSweep.run());
  const { upkeep } = parts;
  if (upkeep !== null) repeat('upkeep of the embedded database', () => upkeep.round());
  repeat('scheduled backup', (signal) => parts.backups.scheduled(signal));
  repeat('stale rows of the ledger', (signal) => deleteStaleRowsInBatches({ db, clock }, signal));

  if (isWorker) {
    started.defer(() => parts.notificationDelivery.stop());
    const workers = new JobWorkers({ ...parts, db, alone });
    started.defer(() => workers.stop(deadlineMs()));
    await workOnJobs(parts, workers);
    await workers.start();
  }
  repeat('expiries of linking', (signal) => expireOnce(linking, signal));
  repeat('statement files to delete', (signal) => parts.documentRetention.sweep(signal));
  repeat('old notifications', () => parts.notifications.prune());
  repeat('old link sessions', () => linking.orphanConsentSweep.prune());

  repeat('old events', (signal) => deleteOldEvents({ db, clock, limits }, signal));
  if (isWorker) {
    if (alone) await voidEventDestinationLeases(db);
    const receivers = new Receivers({ ...parts, deliveries: parts.eventDeliveries });
    started.defer(() => receivers.stop(deadlineMs()));
    receivers.start();
    const fanOut = new FanOutWork({ ...parts, fanOut: parts.eventFanOut });
    started.defer(() => fanOut.stop());
    fanOut.start();

    const id = randomUUID();
    // If the database is unreachable, the heartbeat expires automatically.
    started.defer(() => endWorker(db, id).catch(() => undefined));
    repeat('worker heartbeat', () => beatWorker(db, id, new Date(clock.now())));
    const runs = new Runs({ ...parts, db, alone, engine: parts.syncEngine });
    started.defer(() => runs.stop(deadlineMs()));
    await runs.start();
  }
  const schedules = new Schedules({ ...parts, db });
  repeat('run history', () => schedules.prune());
  repeat('due syncs', (signal) => schedules.queueDue(signal));
  return started.move();
}

/** The handlers of the queues. */
async function workOnJobs(parts: BackgroundParts, workers: JobWorkers): Promise<void> {
  const { jobs, linking, syncRuns, grantRevocations, accountRemoval, notificationDelivery } = parts;
  const { db } = parts.database;
  startAccountImport({ ...parts, db, workers, accountImport: linking.accountImport });
  workers.work(PROVIDER_DATA, ({ connection }) => linking.providerSignals.runCopies(connection));
  workers.work(SYNC_NEW_DATA, ({ sync, owner }) => syncRuns.copyAgain(owner, sync));
  workConnectionCleanup({ ...parts, db, workers, connectionRevocation: linking.connectionRevocation });
  workers.work(GRANT_REVOCATION, async ({ owner }, signal) => {
    const startAfter = await grantRevocations.work(owner, signal);
    if (startAfter !== null) await jobs.enqueue(db, GRANT_REVOCATION, { owner }, { startAfter, owner });
  });
  workers.work(ACCOUNT_REMOVAL, async ({ owner }, signal) => {
    const startAfter = await accountRemoval.work(owner, signal);
    if (startAfter !== null) await jobs.enqueue(db, ACCOUNT_REMOVAL, { owner }, { startAfter, owner });
  });
  workers.work(NOTIFICATION, async ({ notification, owner }, signal) => {
    const startAfter = await notificationDelivery.work(notification, signal);
    if (startAfter !== null)
      await jobs.enqueue(db, NOTIFICATION, { notification, owner }, { startAfter, owner });
  });
  // Nothing else follows a job that used up its retries while the database was unreachable for hours.
  for (const owner of await accountRecordsBeingRemoved(db)) {
    await jobs.enqueue(db, ACCOUNT_REMOVAL, { owner }, { owner });
  }
}

/** Stores when keys and apps of the bridge were last used (`last_used_at`). */
async function flushLastUsed({ authenticators }: BackgroundParts): Promise<void> {
  for (const authenticator of authenticators) await authenticator.flushLastUsed();
}

/** An unreachable database must not keep the service from stopping. */
async function flushAtLast(parts: BackgroundParts): Promise<void> {
  await flushLastUsed(parts).catch((error: unknown) => {
    parts.log.warn('Failed to record the last use of some keys.', {}, error);
  });
}
