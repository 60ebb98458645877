import { Link } from '@tanstack/react-router';
import type { Sync } from '#client';
import { agoText } from '../../format/moments.ts';
import { LoadingRows } from '../../parts/loading-rows.tsx';
import rows from '../../parts/rows.module.css';
import { StatusBadge, type Tone } from '../../parts/status-badge.tsx';
import { PATHS } from '../../routing/paths.ts';
import { DESTINATION } from '../../text/destinations.ts';
import classes from './destinations.module.css';

const TONES: Readonly<Record<Sync['status'], Tone>> = { idle: 'good', running: 'idle', attention: 'bad' };

/** The syncs that write to a destination; undefined while they are not known. */
export function SyncsThere({ syncs }: { readonly syncs: readonly Sync[] | undefined }) {
  if (syncs === undefined) return <LoadingRows count={1} />;
  if (syncs.length === 0) return <p className={classes.empty}>{DESTINATION.noSync}</p>;
  return (
    <ul className={rows.rows}>
      {syncs.map(({ id, name, status, last_synced_at: last }) => (
        <li key={id} className={rows.row}>
          <div className={rows.words}>
            <p className={rows.name}>
              <Link to={PATHS.sync} params={{ id }} className={rows.link ?? ''}>
                {name}
              </Link>
            </p>
            <p className={rows.detail}>
              {last === null ? DESTINATION.neverSynced : DESTINATION.lastSynced(agoText(last))}
            </p>
          </div>
          <StatusBadge tone={TONES[status]}>{DESTINATION.syncStatus[status]}</StatusBadge>
        </li>
      ))}
    </ul>
  );
}
