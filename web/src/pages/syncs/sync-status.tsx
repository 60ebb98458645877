import type { Sync } from '#client';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { SYNCS } from '../../text/syncs.ts';

/** How a sync stands, in a word. */
export function SyncStatus({ sync: { status, enabled, last_synced_at: last } }: { readonly sync: Sync }) {
  const { status: words } = SYNCS;
  if (status === 'running') return <StatusBadge tone="idle">{words.running}</StatusBadge>;
  if (status === 'attention') return <StatusBadge tone="bad">{words.attention}</StatusBadge>;
  if (!enabled) return <StatusBadge tone="idle">{words.paused}</StatusBadge>;
  if (last === null) return <StatusBadge tone="idle">{words.fresh}</StatusBadge>;
  return <StatusBadge tone="good">{words.idle}</StatusBadge>;
}
