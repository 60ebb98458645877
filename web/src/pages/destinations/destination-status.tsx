import type { Destination } from '#client';
import { StatusBadge, type Tone } from '../../parts/status-badge.tsx';
import { DESTINATIONS } from '../../text/destinations.ts';

const TONES: Readonly<Record<Destination['status'], Tone>> = {
  active: 'good',
  incomplete: 'warn',
  reauth_required: 'bad',
  disabled: 'bad',
};

export function DestinationStatus({ status }: Pick<Destination, 'status'>) {
  return <StatusBadge tone={TONES[status]}>{DESTINATIONS.status[status]}</StatusBadge>;
}
