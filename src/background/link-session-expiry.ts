import type { Linking } from '../features/linking/linking.ts';

/**
 * What time alone brings about while linking: consents given too late are withdrawn, consents that expire are written
 * to their audit trail, and accounts nobody read for a day are listed. Several processes may do it: every step is
 * decided on a locked row.
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
  await accountImport.refreshDue(signal);
}
