import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { connections } from '../../api/connections.ts';
import { LinkButton } from '../../parts/buttons.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Notice } from '../../parts/notice.tsx';
import { OwnerOnly } from '../../parts/owner-only.tsx';
import { Page } from '../../parts/page.tsx';
import { Empty, LoadingRows, Problem } from '../../parts/page-states.tsx';
import { PATHS } from '../../routing/paths.ts';
import { CONNECTIONS, LINKED } from '../../text/connections.ts';
import { reasonText } from '../../text/problems.ts';
import { ConnectionCard } from './connection-card.tsx';
import classes from './connections.module.css';

const route = getRouteApi(PATHS.connections);

/** How linking ended, where the person has just come back from the bank. */
function LinkOutcome() {
  const { link_session: outcome, reason = '' } = route.useSearch();
  const navigate = route.useNavigate();
  if (outcome === undefined) return null;
  const completed = outcome === 'completed';
  return (
    <Notice
      tone={completed ? 'good' : 'bad'}
      title={completed ? LINKED.completed : LINKED.failed}
      text={completed ? LINKED.completedText : reasonText(LINKED.reasons, reason, LINKED.unknown)}
      onClose={() => navigate({ search: {}, replace: true })}
    />
  );
}

const ROWS = 3;

/** As high as a connection with two accounts. */
function LoadingCards() {
  return (
    <div className={classes.card}>
      <LoadingRows count={ROWS} />
    </div>
  );
}

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
