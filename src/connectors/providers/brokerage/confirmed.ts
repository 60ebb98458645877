import type { Clock } from '../../../platform/clock.ts';

/** What a queued deletion is given before the job that asked for it comes back later. */
const WAITS_MS: readonly number[] = [0, 250, 500, 1000];

/** Whether what the vendor queued has happened: asked a few times, a little later each time. */
export async function confirmed(
  happened: () => Promise<boolean>,
  clock: Clock,
  signal: AbortSignal,
): Promise<boolean> {
  for (const wait of WAITS_MS) {
    if (wait > 0) await clock.sleep(wait, signal);
    if (await happened()) return true;
  }
  return false;
}
