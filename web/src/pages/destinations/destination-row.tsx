import { Link } from '@tanstack/react-router';
import type { Destination, Sync } from '#client';

import { DESTINATION_KINDS } from '../../../../src/vocabulary/destination-kinds.ts';
import { Monogram } from '../../parts/monogram.tsx';
import { OwnerOnly } from '../../parts/owner-only.tsx';
import rows from '../../parts/rows.module.css';
import { PATHS } from '../../routing/paths.ts';
import { DESTINATIONS } from '../../text/destinations.ts';
import { DestinationStatus } from './destination-status.tsx';
import classes from './destinations.module.css';
import { useRepair } from './repair-action.tsx';
import { targetText } from './target-text.ts';

interface DestinationRowProps {
  readonly destination: Destination;
  /** Every sync there is; undefined while they are not known. */
  readonly syncs: readonly Sync[] | undefined;
}

/** A destination: what it is, where rows go, which syncs write there, and what it needs. */
export function DestinationRow({ destination, syncs }: DestinationRowProps) {
  const { id, type, name, status, sync_count: count } = destination;
  const { action, failure } = useRepair(destination);
  const names = syncs?.filter((sync) => sync.destination.id === id).map((sync) => sync.name);
  return (
    <li>
      <div className={`${rows.row} ${classes.row}`}>
        <Monogram name={DESTINATION_KINDS[type].texts.name} />
        <div className={rows.words}>
          <h2 className={`${rows.name} ${classes.name}`}>
            <Link to={PATHS.destination} params={{ id }} className={rows.link}>
              {name}
            </Link>
            <DestinationStatus status={status} />
          </h2>
          <p className={rows.detail}>
            {[DESTINATION_KINDS[type].texts.name, targetText(destination)]
              .filter((one) => one !== name)
              .join(' · ')}
          </p>
          <p className={rows.detail}>
            {names !== undefined && names.length > 0
              ? DESTINATIONS.writtenBy(names)
              : count === 0
                ? DESTINATIONS.noSync
                : DESTINATIONS.syncs(count)}
          </p>
        </div>
        {action === null ? null : (
          <OwnerOnly scope="destinations:write">
            <div className={classes.repair}>{action}</div>
          </OwnerOnly>
        )}
      </div>
      {failure === null ? null : <div className={classes.outcome}>{failure}</div>}
    </li>
  );
}
