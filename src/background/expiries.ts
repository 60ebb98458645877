import type { Linking } from '../features/linking/linking.ts';
import type { Clock } from '../platform/clock.ts';
import type { Db } from '../storage/database.ts';
import { deleteStaleRows } from '../storage/delivery-streams.ts';
import { deleteEventsBefore } from '../storage/events.ts';
import type { Limits } from '../vocabulary/limits.ts';

/** The pause between two batches, for other statements. */
const PAUSE_MS = 20;
const DAY_MS = 86_400_000;
/** How long a round lists accounts, so that the other expiries are not late. */
const LISTING_MS = 45_000;
/** Events that one statement deletes. */
const EVENTS_AT_ONCE = 500;

interface Tools {
  readonly db: Db;
  readonly clock: Clock;
}

/** Deletes what deleted syncs and resyncs left, a batch at a time. */
export async function deleteStaleRowsInBatches({ db, clock }: Tools, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && (await deleteStaleRows(db, null))) {
    await clock.sleep(PAUSE_MS, signal).catch(() => undefined);
  }
}

/** Deletes events that are older than `event_days` (docs/limits.md). */
export async function deleteOldEvents(
  { db, clock, limits }: Tools & { readonly limits: Pick<Limits, 'event_days'> },
  signal: AbortSignal,
): Promise<void> {
  const before = new Date(clock.now() - limits.event_days * DAY_MS);
  while (!signal.aborted && (await deleteEventsBefore(db, before, EVENTS_AT_ONCE)) > 0);
}

/**
 * What the passing of time changes in linking: consents given too late are withdrawn, consents that expire are recorded
 * in their audit trail, and accounts that were not read for a day are listed. Several processes may do it: every step
 * is decided on a locked row.
 */
export async function expireOnce(
  {
    orphanConsentSweep,
    consentChecks,
    accountImport,
  }: Pick<Linking, 'orphanConsentSweep' | 'consentChecks' | 'accountImport'>,
  signal: AbortSignal,
): Promise<void> {
  await orphanConsentSweep.sweep(signal);
  await consentChecks.recordExpiries();
  const until = performance.now() + LISTING_MS;
  while ((await accountImport.refreshDue(signal)) > 0 && performance.now() < until);
}
