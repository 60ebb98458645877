import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import type { Connection } from '#client';
import { connection } from '../../api/connections.ts';
import { Back } from '../../parts/back.tsx';
import { Card } from '../../parts/card.tsx';
import { LoadingRows } from '../../parts/loading-rows.tsx';
import { OwnerOnly } from '../../parts/owner-only.tsx';
import { Page } from '../../parts/page.tsx';
import { Problem } from '../../parts/problem.tsx';
import { PATHS } from '../../routing/paths.ts';
import { CONNECTION, CONNECTIONS } from '../../text/connections.ts';
import { AccountRows } from './account-rows.tsx';
import { ConnectionMenu } from './connection-menu.tsx';
import { ConnectionStatus, needsReauthorising } from './connection-status.tsx';
import { ConsentHistory } from './consent-history.tsx';
import { useConnectionActions } from './use-connection-actions.tsx';

const route = getRouteApi(PATHS.connection);

export function ConnectionPage() {
  const { id } = route.useParams();
  const { data, error, refetch } = useQuery(connection(id));
  return (
    <>
      <Back to={PATHS.connections}>{CONNECTIONS.title}</Back>
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
  const actions = useConnectionActions(shown, () => navigate({ to: PATHS.connections }));
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
      <Card title={CONNECTION.accounts} aside={CONNECTIONS.provider[shown.provider]}>
        <AccountRows connection={shown} />
      </Card>
      <Card title={CONNECTION.consents} aside={CONNECTION.consentsAside}>
        <ConsentHistory connection={shown.id} />
      </Card>
      {actions.dialog}
    </Page>
  );
}
