import type { Connection } from '#client';
import { daysUntil } from '../format/moments.ts';
import { StatusBadge, type Tone } from '../parts/status-badge.tsx';
import { CONNECTIONS } from '../text/connections.ts';

const TONES: Readonly<Record<Connection['status'], Tone>> = {
  pending: 'idle',
  active: 'good',
  expiring: 'warn',
  expired: 'bad',
  invalidated: 'bad',
  revoked: 'idle',
};

const RENEWABLE: ReadonlySet<Connection['status']> = new Set(['expiring', 'expired', 'invalidated']);

/** Whether the person should reauthorise it, now or soon. */
export function needsReauthorising({ status }: Pick<Connection, 'status'>): boolean {
  return RENEWABLE.has(status);
}

export function ConnectionStatus({ connection }: { readonly connection: Connection }) {
  const { status, consent } = connection;
  const ends = status === 'expiring' ? consent?.expires_at : null;
  return (
    <StatusBadge tone={TONES[status]}>
      {ends == null ? CONNECTIONS.status[status] : CONNECTIONS.daysLeft(daysUntil(ends))}
    </StatusBadge>
  );
}
