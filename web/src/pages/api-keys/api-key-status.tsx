import type { ApiKey } from '#client';
import { StatusBadge, type Tone } from '../../parts/status-badge.tsx';
import { API_KEYS } from '../../text/api-keys.ts';

const TONES: Readonly<Record<ApiKey['status'], Tone>> = {
  active: 'good',
  expiring: 'warn',
  revoked: 'idle',
  expired: 'idle',
};

export function ApiKeyStatus({ status }: Pick<ApiKey, 'status'>) {
  return <StatusBadge tone={TONES[status]}>{API_KEYS.status[status]}</StatusBadge>;
}
