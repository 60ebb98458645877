import { useQuery } from '@tanstack/react-query';
import type { Consent } from '#client';
import { consents } from '../../api/connections.ts';
import { me } from '../../api/me.ts';
import { momentText } from '../../format/moments.ts';
import { Facts } from '../../parts/facts.tsx';
import { LoadingRows } from '../../parts/loading-rows.tsx';
import { Problem } from '../../parts/problem.tsx';
import rows from '../../parts/rows.module.css';
import { StatusBadge, type Tone } from '../../parts/status-badge.tsx';
import { CONNECTION } from '../../text/connections.ts';
import classes from './connections.module.css';

const TONES: Readonly<Record<Consent['status'], Tone>> = {
  active: 'good',
  expiring: 'warn',
  expired: 'idle',
  withdrawn: 'idle',
};

/** What the person has agreed to at this bank, the latest first. */
export function ConsentHistory({ connection }: { readonly connection: string }) {
  const { data, error, refetch } = useQuery(consents(connection));
  const { data: record } = useQuery(me);
  if (error !== null) return <Problem error={error} again={refetch} />;
  if (data === undefined || record === undefined) return <LoadingRows count={1} />;
  if (data.length === 0) return <p className={classes.none}>{CONNECTION.noConsents}</p>;
  return (
    <ul className={rows.rows}>
      {data.map((consent) => (
        <li key={consent.id}>
          <Entry consent={consent} zone={record.timezone} />
        </li>
      ))}
    </ul>
  );
}

function Entry({ consent, zone }: { readonly consent: Consent; readonly zone: string }) {
  const { status, granted_at: granted, expires_at: ends, withdrawn_at: ended } = consent;
  return (
    <Facts
      facts={[
        [CONNECTION.granted, momentText(granted, zone)],
        ended === null
          ? [CONNECTION.ends, ends === null ? CONNECTION.never : momentText(ends, zone)]
          : [CONNECTION.ended, momentText(ended, zone)],
        [
          CONNECTION.status,
          <StatusBadge key="status" tone={TONES[status]}>
            {CONNECTION.consentStatus[status]}
          </StatusBadge>,
        ],
        [CONNECTION.reason, consent.termination_reason],
        [CONNECTION.shares, consent.data_categories.join(', ')],
      ]}
    />
  );
}
