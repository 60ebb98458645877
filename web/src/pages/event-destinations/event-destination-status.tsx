import type { EventDestination } from '#client';
import { agoText } from '../../format/moments.ts';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { EVENT_DESTINATIONS } from '../../text/events.ts';

export function EventDestinationStatus({ destination }: { readonly destination: EventDestination }) {
  const { status, disabled_reason: reason, failing_since: failing } = destination;
  if (status === 'disabled') {
    return (
      <StatusBadge tone={reason === 'owner' ? 'idle' : 'bad'}>
        {EVENT_DESTINATIONS.status.disabled}
      </StatusBadge>
    );
  }
  return failing === null ? (
    <StatusBadge tone="good">{EVENT_DESTINATIONS.status.enabled}</StatusBadge>
  ) : (
    <StatusBadge tone="warn">{EVENT_DESTINATIONS.failing(agoText(failing))}</StatusBadge>
  );
}
