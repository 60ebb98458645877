import type { Linking } from '../features/linking/linking.ts';
import { PROVIDER_DATA } from '../features/linking/linking-queues.ts';
import type { Clock } from '../platform/clock.ts';
import type { Role } from '../platform/config.ts';
import type { Log } from '../platform/log.ts';
import type { Db } from '../storage/database.ts';
import type { Jobs } from '../storage/jobs.ts';
import { startAccountImport } from './account-import.ts';
import { workConnectionCleanup } from './connection-cleanup.ts';
import { runLinkSessionExpiry } from './link-session-expiry.ts';

export interface LinkingWorkOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly jobs: Jobs;
  readonly log: Log;
  readonly linking: Linking;
}

/** Starts what linking does by itself in these roles. The returned function ends what does not end with the queue. */
export async function startLinkingWork(
  options: LinkingWorkOptions,
  roles: readonly Role[],
): Promise<() => Promise<void>> {
  const { linking } = options;
  if (roles.includes('worker')) {
    await startAccountImport({ ...options, accountImport: linking.accountImport });
    await options.jobs.work(PROVIDER_DATA, ({ connection }) => linking.providerSignals.runCopies(connection));
    await workConnectionCleanup({ ...options, connectionRevocation: linking.connectionRevocation });
  }
  const ending = new AbortController();
  const { orphanConsentSweep, consentChecks, accountImport } = linking;
  const expiry = roles.includes('scheduler')
    ? runLinkSessionExpiry({ ...options, orphanConsentSweep, consentChecks, accountImport }, ending.signal)
    : Promise.resolve();
  return () => {
    ending.abort();
    return expiry;
  };
}
