import type { Static } from 'typebox';
import type { dryRunSchema } from '../../../src/operations/v2/syncs/dry-runs.ts';
import type { verificationSchema } from '../../../src/operations/v2/syncs/verifications.ts';
import { ask } from './client.ts';

export type DryRun = Static<typeof dryRunSchema>;
export type DryRunRow = DryRun['data'][number];
export type Verification = Static<typeof verificationSchema>;
export type VerificationProblem = Verification['data'][number];

/** What the next run would do. It reads at the bank and may take two minutes; aborting the signal stops it. */
export function dryRun(sync: string, signal: AbortSignal): Promise<DryRun> {
  return ask({ method: 'POST', path: `syncs/${encodeURIComponent(sync)}/dry_run`, signal });
}

/** Whether the destination shows what the bank has. It may take ten minutes; aborting the signal stops it. */
export function verifySync(sync: string, signal: AbortSignal): Promise<Verification> {
  return ask({ method: 'POST', path: `syncs/${encodeURIComponent(sync)}/verify`, signal });
}
