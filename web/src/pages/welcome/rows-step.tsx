import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Destination, Sync } from '#client';
import { destinationResources } from '../../api/destinations.ts';
import { Icon } from '../../parts/icon.tsx';
import { Problem } from '../../parts/page-states.tsx';
import { HOME } from '../../text/home.ts';
import { WELCOME } from '../../text/welcome.ts';
import { useSyncActions } from '../syncs/use-sync-actions.tsx';
import { Step } from './step.tsx';
import type { Tour } from './tour-state.ts';
import classes from './welcome.module.css';

/** The run as it goes, then the way to what it wrote. */
export function RowsStep({ tour: { sync, destination } }: { readonly tour: Tour }) {
  const { title, text } = WELCOME.rows;
  const succeeded = sync?.latest_run?.status === 'succeeded';
  return (
    <Step number={3} title={title} state={sync === null ? 'later' : succeeded ? 'done' : 'now'}>
      {sync === null ? (
        <p className={classes.text}>{text}</p>
      ) : (
        <>
          <Progress sync={sync} />
          {destination !== null && succeeded ? <OpenRows destination={destination} /> : null}
        </>
      )}
    </Step>
  );
}

function Progress({ sync }: { readonly sync: Sync }) {
  const { busy, run, outcome } = useSyncActions(sync);
  const { latest_run: latest, attention } = sync;
  const { counts, status } = latest ?? { counts: null, status: 'queued' };
  const { reading, waiting, copied, failed, again } = WELCOME.rows;
  const ended = status === 'failed' || status === 'cancelled';
  return (
    <>
      <p className={classes.text} role="status">
        {status === 'succeeded' && counts !== null
          ? copied(counts.added)
          : ended
            ? `${failed} ${attention === null ? '' : HOME.sync[attention.code]}`
            : counts === null || counts.processed === 0
              ? waiting
              : reading(counts.processed, counts.added)}
      </p>
      {ended ? null : status === 'succeeded' ? null : (
        <progress className={classes.progress} aria-label={reading(0, 0)} />
      )}
      {ended ? (
        <Button className={classes.action ?? ''} variant="default" loading={busy} onClick={run}>
          {again}
        </Button>
      ) : null}
      {outcome}
    </>
  );
}

function OpenRows({ destination: { id, target } }: { readonly destination: Destination }) {
  const { data, error, refetch } = useQuery(destinationResources(id, { type: 'spreadsheet' }));
  if (error !== null && data === undefined) return <Problem error={error} again={refetch} />;
  const url = data?.items.find((one) => one.id === target.spreadsheet_id)?.url;
  return (
    <div className={classes.actions}>
      <Button
        component="a"
        href={url ?? undefined}
        target="_blank"
        rel="noreferrer"
        loading={data === undefined}
        rightSection={<Icon name="chevron" size={16} />}
      >
        {WELCOME.rows.open}
      </Button>
    </div>
  );
}
