import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { destination } from '../../api/destinations.ts';
import { Back, Page } from '../../parts/page.tsx';
import { LoadingRows, Problem } from '../../parts/page-states.tsx';
import { PATHS } from '../../routing/paths.ts';
import { DESTINATIONS } from '../../text/destinations.ts';
import { DestinationDetails } from './destination-details.tsx';

const EXPECTED = 4;
const route = getRouteApi(PATHS.destination);

export function DestinationPage() {
  const { id } = route.useParams();
  const { data, error, refetch } = useQuery(destination(id));
  return (
    <>
      <Back to={PATHS.destinations}>{DESTINATIONS.title}</Back>
      {data !== undefined ? (
        <DestinationDetails key={id} destination={data} />
      ) : (
        <Page title={DESTINATIONS.title}>
          {error === null ? <LoadingRows count={EXPECTED} /> : <Problem error={error} again={refetch} />}
        </Page>
      )}
    </>
  );
}
