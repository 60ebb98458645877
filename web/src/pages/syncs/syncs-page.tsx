import { useQuery } from '@tanstack/react-query';
import { accounts } from '../../api/accounts.ts';
import { syncs, useLiveSyncs } from '../../api/syncs.ts';
import { LinkButton } from '../../parts/buttons.tsx';
import card from '../../parts/card.module.css';
import { Icon } from '../../parts/icon.tsx';
import { OwnerOnly } from '../../parts/owner-only.tsx';
import { Page } from '../../parts/page.tsx';
import { Empty, LoadingRows, Problem } from '../../parts/page-states.tsx';
import rows from '../../parts/rows.module.css';
import { PATHS } from '../../routing/paths.ts';
import { SYNCS } from '../../text/syncs.ts';
import { SyncRow } from './sync-row.tsx';

/** Every sync: what is copied where, and how it goes. */
export function SyncsPage() {
  useLiveSyncs();
  return (
    <Page
      title={SYNCS.title}
      actions={
        <OwnerOnly scope="syncs:write" otherwise="sentence">
          <NewButton />
        </OwnerOnly>
      }
    >
      <SyncList />
    </Page>
  );
}

function SyncList() {
  const { data, error, refetch } = useQuery(syncs);
  if (data === undefined && error !== null) return <Problem error={error} again={refetch} />;
  if (data?.length === 0) return <NoSyncs />;
  return (
    <div className={card.card}>
      {data === undefined ? (
        <LoadingRows count={3} />
      ) : (
        <ul className={rows.rows}>
          {data.map((sync) => (
            <SyncRow key={sync.id} sync={sync} />
          ))}
        </ul>
      )}
    </div>
  );
}

function NoSyncs() {
  const linked = useQuery(accounts).data;
  if (linked?.length === 0) {
    return (
      <Empty
        title={SYNCS.none}
        text={SYNCS.noneLinked}
        action={
          <OwnerOnly scope="connections:write" otherwise="sentence">
            <LinkButton to={PATHS.newConnection}>{SYNCS.link}</LinkButton>
          </OwnerOnly>
        }
      />
    );
  }
  return (
    <Empty
      title={SYNCS.none}
      text={SYNCS.noneText}
      action={
        <OwnerOnly scope="syncs:write">
          <NewButton />
        </OwnerOnly>
      }
    />
  );
}

function NewButton() {
  return (
    <LinkButton to={PATHS.newSync} leftSection={<Icon name="plus" />}>
      {SYNCS.create}
    </LinkButton>
  );
}
