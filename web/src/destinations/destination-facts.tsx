import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Destination } from '#client';
import { DESTINATION_KINDS } from '../../../src/vocabulary/destination-kinds.ts';
import { destinationResources } from '../api/destinations.ts';
import { me } from '../api/me.ts';
import { dateText } from '../format/moments.ts';
import { Facts } from '../parts/card.tsx';
import { DESTINATION } from '../text/destinations.ts';
import { destinationTexts } from '../text/kinds.ts';
import classes from './destinations.module.css';
import { addressedKind, targetText } from './targets.ts';

/** What a destination is and writes to. */
export function DestinationFacts({ destination }: { readonly destination: Destination }) {
  const { type, created, updated } = destination;
  const { data: record } = useQuery(me);
  // No day is shown in a wrong time zone, and nothing moves when the zone is known.
  const day = (moment: string) =>
    record === undefined ? <Skeleton height="1lh" width={96} /> : dateText(moment, record.timezone);
  const { holds, columns } = DESTINATION_KINDS[type];
  return (
    <Facts
      facts={[
        [DESTINATION.type, destinationTexts(type).name],
        [DESTINATION.writesTo, <Target key="target" destination={destination} />],
        [DESTINATION.takes, holds.map((held) => DESTINATION.holds[held]).join(', ')],
        [DESTINATION.columns, columns ? DESTINATION.columnsOfSync : null],
        [DESTINATION.added, day(created)],
        [DESTINATION.changed, day(updated)],
      ]}
    />
  );
}

/** The target in words, with its address at the vendor if there is one. */
function Target({ destination }: { readonly destination: Destination }): ReactNode {
  const { id, type, target, status } = destination;
  const place = addressedKind(destination);
  const { data } = useQuery({
    ...destinationResources(id, { type: place?.kind ?? 'spreadsheet' }),
    // Vendors count calls: only those are asked that answer with addresses, and only about what can be opened.
    enabled: place !== null && status === 'active',
  });
  const found = data?.items.find((item) => item.id === target[place?.key ?? '']);
  const text =
    found === undefined || DESTINATION_KINDS[type].target.steps?.names !== undefined
      ? targetText(destination)
      : found.name;
  if (place === null || status !== 'active') return text;
  return (
    <>
      <span>{text}</span>
      <span className={classes.address}>
        {found?.url == null || !/^https?:/.test(found.url) ? null : (
          <a href={found.url} target="_blank" rel="noreferrer">
            {DESTINATION.open(destinationTexts(type).name)}
          </a>
        )}
      </span>
    </>
  );
}
