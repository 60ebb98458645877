import type { SyncRun } from '#client';
import { WORDS_LOCALE } from '../format/locale.ts';
import { StatusBadge, type Tone } from '../parts/status-badge.tsx';
import { SYNC_RUN } from '../text/sync-runs.ts';

const TONES: Readonly<Record<SyncRun['status'], Tone>> = {
  queued: 'idle',
  running: 'idle',
  succeeded: 'good',
  failed: 'bad',
  cancelled: 'idle',
};

type Ended = Pick<SyncRun, 'status' | 'counts'>;

/** Whether a run, or its line of an account, delivered all that was read except for rows that it rejected. */
export function hasRejected({
  status,
  counts,
}: {
  readonly status: string;
  readonly counts: { readonly rejected: number };
}): boolean {
  return status === 'succeeded' && counts.rejected > 0;
}

/** How a run is going or has ended: a run that rejected rows has not simply succeeded. */
export function runStatusText(run: Ended): string {
  return hasRejected(run) ? SYNC_RUN.rejected(run.counts.rejected) : SYNC_RUN.status[run.status];
}

export function RunStatus({ run }: { readonly run: Ended }) {
  return <StatusBadge tone={hasRejected(run) ? 'warn' : TONES[run.status]}>{runStatusText(run)}</StatusBadge>;
}

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;

const unit = (name: 'second' | 'minute') =>
  new Intl.NumberFormat(WORDS_LOCALE, {
    style: 'unit',
    unit: name,
    unitDisplay: 'short',
    maximumFractionDigits: 0,
  });
const precise = new Intl.NumberFormat(WORDS_LOCALE, {
  style: 'unit',
  unit: 'second',
  unitDisplay: 'short',
  maximumFractionDigits: 1,
});
const seconds = unit('second');
const minutes = unit('minute');

/** How long something took: `0.8 sec`, `12 sec`, `3 min 5 sec`. */
export function durationText(ms: number): string {
  if (ms < 10 * SECOND_MS) return precise.format(ms / SECOND_MS);
  if (ms < MINUTE_MS) return seconds.format(Math.round(ms / SECOND_MS));
  const whole = Math.floor(ms / MINUTE_MS);
  const rest = Math.floor((ms - whole * MINUTE_MS) / SECOND_MS);
  return rest === 0 ? minutes.format(whole) : `${minutes.format(whole)} ${seconds.format(rest)}`;
}
