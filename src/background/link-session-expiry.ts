import type { AccountImport } from '../features/linking/account-import.ts';
import type { ConsentChecks } from '../features/linking/consent-checks.ts';
import type { OrphanConsentSweep } from '../features/linking/orphan-consent-sweep.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';

export interface LinkSessionExpiryOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly orphanConsentSweep: OrphanConsentSweep;
  readonly consentChecks: ConsentChecks;
  readonly accountImport: AccountImport;
}

const EVERY_MS = 60_000;
const PRUNE_EVERY = 60;

/**
 * What time alone brings about while linking: consents given too late are withdrawn, consents that expire are written
 * to their audit trail, accounts nobody read for a day are listed, and what has served its time is deleted. Runs until `signal` aborts; a round that fails is
 * logged and the next one comes. Several processes may run it: every step is decided on a held row.
 */
export async function runLinkSessionExpiry(
  options: LinkSessionExpiryOptions,
  signal: AbortSignal,
): Promise<void> {
  for (let round = 0; !signal.aborted; round++) {
    try {
      await expireOnce(options, signal, round % PRUNE_EVERY === 0);
    } catch (error) {
      if (!signal.aborted) options.log.error('A round of link session expiry failed.', {}, error);
    }
    await options.clock.sleep(EVERY_MS, signal).catch(() => undefined);
  }
}

/** One round; `prune` also deletes what is old. */
export async function expireOnce(
  { orphanConsentSweep, consentChecks, accountImport }: LinkSessionExpiryOptions,
  signal: AbortSignal,
  prune: boolean,
): Promise<void> {
  await orphanConsentSweep.sweep(signal);
  await consentChecks.recordExpiries();
  await accountImport.refreshDue(signal);
  if (prune) await orphanConsentSweep.prune();
}
