import { useQuery } from '@tanstack/react-query';
import { connections } from '../../api/connections.ts';
import { Empty } from '../../parts/empty.tsx';
import { Icon } from '../../parts/icon.tsx';
import { LinkButton } from '../../parts/link-button.tsx';
import { OwnerOnly } from '../../parts/owner-only.tsx';
import { Page } from '../../parts/page.tsx';
import { Problem } from '../../parts/problem.tsx';
import { PATHS } from '../../routing/paths.ts';
import { CONNECTIONS } from '../../text/connections.ts';
import { ConnectionCard } from './connection-card.tsx';
import { LinkOutcome } from './link-outcome.tsx';
import { LoadingCards } from './loading-cards.tsx';

export function ConnectionsPage() {
  return (
    <Page
      title={CONNECTIONS.title}
      actions={
        <OwnerOnly scope="connections:write" otherwise="sentence">
          <LinkBank />
        </OwnerOnly>
      }
    >
      <LinkOutcome />
      <ConnectionList />
    </Page>
  );
}

function ConnectionList() {
  const { data, error, refetch } = useQuery(connections);
  if (data === undefined)
    return error === null ? <LoadingCards /> : <Problem error={error} again={refetch} />;
  if (data.length === 0) {
    return (
      <Empty
        title={CONNECTIONS.none}
        text={CONNECTIONS.noneText}
        action={
          <OwnerOnly scope="connections:write">
            <LinkBank />
          </OwnerOnly>
        }
      />
    );
  }
  return data.map((connection) => <ConnectionCard key={connection.id} connection={connection} />);
}

function LinkBank() {
  return (
    <LinkButton to={PATHS.newConnection} leftSection={<Icon name="plus" />}>
      {CONNECTIONS.link}
    </LinkButton>
  );
}
