import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { destinations } from '../../api/destinations.ts';
import { syncs } from '../../api/syncs.ts';
import { Empty } from '../../parts/empty.tsx';
import { Icon } from '../../parts/icon.tsx';
import { LinkButton } from '../../parts/link-button.tsx';
import { LoadingRows } from '../../parts/loading-rows.tsx';
import { OwnerOnly } from '../../parts/owner-only.tsx';
import { Page } from '../../parts/page.tsx';
import { Problem } from '../../parts/problem.tsx';
import rows from '../../parts/rows.module.css';
import { PATHS } from '../../routing/paths.ts';
import { DESTINATIONS, RETURNED } from '../../text/destinations.ts';
import { DestinationRow } from './destination-row.tsx';
import classes from './destinations.module.css';
import { ReturnedNotice } from './returned-notice.tsx';

const EXPECTED = 3;
const route = getRouteApi(PATHS.destinations);

export function DestinationsPage() {
  const outcome = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <Page
      title={DESTINATIONS.title}
      actions={
        <OwnerOnly scope="destinations:write" otherwise="sentence">
          <AddButton />
        </OwnerOnly>
      }
    >
      <ReturnedNotice
        outcome={outcome}
        next={RETURNED.unknownLink}
        onClose={() => navigate({ search: {}, replace: true })}
      />
      <DestinationList />
    </Page>
  );
}

function DestinationList() {
  const { data, error, refetch } = useQuery(destinations);
  const { data: known } = useQuery(syncs);
  if (data === undefined) {
    return error === null ? (
      <div className={classes.card}>
        <LoadingRows count={EXPECTED} />
      </div>
    ) : (
      <Problem error={error} again={refetch} />
    );
  }
  if (data.length === 0) {
    return (
      <Empty
        title={DESTINATIONS.none}
        text={DESTINATIONS.noneText}
        action={
          <OwnerOnly scope="destinations:write">
            <AddButton />
          </OwnerOnly>
        }
      />
    );
  }
  return (
    <div className={classes.card}>
      <ul className={rows.rows}>
        {data.map((destination) => (
          <DestinationRow key={destination.id} destination={destination} syncs={known} />
        ))}
      </ul>
    </div>
  );
}

function AddButton() {
  return (
    <LinkButton to={PATHS.newDestination} leftSection={<Icon name="plus" />}>
      {DESTINATIONS.add}
    </LinkButton>
  );
}
