import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import type { Connection, Consent } from '#client';
import { APP_PATHS } from '../../../src/vocabulary/page-paths.ts';
import { connection, consents } from '../api/connections.ts';
import { me } from '../api/me.ts';
import { momentText } from '../format/moments.ts';
import { Card, Facts } from '../parts/card.tsx';
import { OwnerOnly } from '../parts/owner-only.tsx';
import { Back, Page } from '../parts/page.tsx';
import { LoadingRows, Problem } from '../parts/page-states.tsx';
import rows from '../parts/rows.module.css';
import { StatusBadge, type Tone } from '../parts/status-badge.tsx';
import { CONNECTION, CONNECTIONS } from '../text/connections.ts';
import { providerTexts } from '../text/kinds.ts';
import { AccountRows } from './account-rows.tsx';
import { useConnectionActions } from './connection-actions.tsx';
import { ConnectionMenu, ConnectionStatus, needsReauthorising } from './connection-status.tsx';
import classes from './connections.module.css';
import { OtherBank } from './other-bank.tsx';

const TONES: Readonly<Record<Consent['status'], Tone>> = {
  active: 'good',
  expiring: 'warn',
  expired: 'idle',
  withdrawn: 'idle',
};

/** What the person has agreed to at this bank, the latest first. */
function ConsentHistory({ connection }: { readonly connection: string }) {
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
  const { provider, status, granted_at: granted, expires_at: ends, withdrawn_at: ended } = consent;
  return (
    <Facts
      facts={[
        [providerTexts(provider).granted, momentText(granted, zone)],
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

const route = getRouteApi(APP_PATHS.connection);

export function ConnectionPage() {
  const { id } = route.useParams();
  const { data, error, refetch } = useQuery(connection(id));
  return (
    <>
      <Back to={APP_PATHS.connections}>{CONNECTIONS.title}</Back>
      {data !== undefined ? (
        <Details connection={data} />
      ) : (
        <Page title={CONNECTIONS.title} actionsToCome={error === null}>
          {error === null ? <LoadingRows count={3} /> : <Problem error={error} again={refetch} />}
        </Page>
      )}
    </>
  );
}

function Details({ connection: shown }: { readonly connection: Connection }) {
  const navigate = useNavigate();
  const actions = useConnectionActions(shown, () => navigate({ to: APP_PATHS.connections }));
  return (
    <Page
      title={shown.institution.name}
      actions={
        <>
          <ConnectionStatus connection={shown} />
          <OwnerOnly scope="connections:write" otherwise="sentence">
            {needsReauthorising(shown) ? (
              <Button loading={actions.busy === 'reauthorize'} onClick={actions.reauthorize}>
                {CONNECTIONS.reauthorize}
              </Button>
            ) : null}
            <ConnectionMenu connection={shown} actions={actions} />
          </OwnerOnly>
        </>
      }
    >
      {actions.outcome}
      <OtherBank connection={shown} />
      <Card title={CONNECTION.accounts} aside={providerTexts(shown.provider).name}>
        <AccountRows connection={shown} />
      </Card>
      <Card title={CONNECTION.consents} aside={CONNECTION.consentsAside}>
        <ConsentHistory connection={shown.id} />
      </Card>
      {actions.dialog}
    </Page>
  );
}
