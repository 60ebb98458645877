import type { SyncRun } from '#client';
import { StatusBadge, type Tone } from '../../parts/status-badge.tsx';
import { SYNC_RUN } from '../../text/sync-runs.ts';

const TONES: Readonly<Record<SyncRun['status'], Tone>> = {
  queued: 'idle',
  running: 'idle',
  succeeded: 'good',
  failed: 'bad',
  cancelled: 'idle',
};

export function RunStatus({ status }: Pick<SyncRun, 'status'>) {
  return <StatusBadge tone={TONES[status]}>{SYNC_RUN.status[status]}</StatusBadge>;
}
