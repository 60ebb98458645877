import { useFeedState } from '../../api/use-events.ts';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { EVENTS } from '../../text/events.ts';

/** Whether the list grows by itself. */
export function LiveBadge() {
  const state = useFeedState();
  return state === 'live' || state === 'polling' ? (
    <StatusBadge tone="good">{EVENTS.live}</StatusBadge>
  ) : null;
}
