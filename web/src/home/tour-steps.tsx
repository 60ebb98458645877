import { Button } from '@mantine/core';
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Connection, Destination, Institution, Sync } from '#client';
import { APP_PATHS } from '../../../src/vocabulary/page-paths.ts';
import { appUrl } from '../api/app-url.ts';
import { api } from '../api/client.ts';
import { createLinkSession, institutions } from '../api/connections.ts';
import { createDestinationLink, destinationResources, destinations } from '../api/destinations.ts';
import { syncRuns, syncs } from '../api/syncs.ts';
import { LinkButton } from '../parts/buttons.tsx';
import { Icon } from '../parts/icon.tsx';
import { Problem } from '../parts/page-states.tsx';
import { useStillHere } from '../parts/still-here.ts';
import { useSyncActions } from '../syncs/sync-actions.tsx';
import { HOME } from '../text/home.ts';
import { WELCOME } from '../text/welcome.ts';
import { copiedAccounts, type Tour } from './tour-state.ts';
import { Step } from './tour-step.tsx';
import classes from './welcome.module.css';

interface BankStepProps {
  readonly tour: Tour;
  /** The provider whose first bank is offered, or null if the person chooses one. */
  readonly provider: Institution['provider'] | null;
}

export function BankStep({ tour: { bank }, provider }: BankStepProps) {
  const text = provider === null ? WELCOME.bank : WELCOME.sandboxBank;
  return (
    <Step number={1} title={text.title} state={bank === null ? 'now' : 'done'}>
      {bank === null ? (
        <>
          <p className={classes.text}>{text.text}</p>
          {provider === null ? (
            <LinkButton to={APP_PATHS.newConnection} className={classes.action ?? ''}>
              {WELCOME.bank.action}
            </LinkButton>
          ) : (
            <LinkSandboxBank provider={provider} />
          )}
        </>
      ) : (
        <p className={classes.text} role="status">
          {bank.status === 'pending'
            ? WELCOME.listing(bank.institution.name)
            : WELCOME.linked(bank.institution.name, copiedAccounts(bank).length)}
        </p>
      )}
    </Step>
  );
}

function LinkSandboxBank({ provider }: { readonly provider: Institution['provider'] }) {
  const { data, error, refetch } = useInfiniteQuery(institutions(''));
  const stillHere = useStillHere();
  const link = useMutation({
    mutationFn: (institution: Institution) => createLinkSession(institution, 'welcome'),
    onMutate: stillHere,
    onSuccess: ({ url }, _, isHere) => {
      if (isHere()) location.assign(url);
    },
  });
  if (error !== null && data === undefined) return <Problem error={error} again={refetch} />;
  const bank = data?.pages
    .flatMap((page) => page.data)
    .find((one) => one.provider === provider && one.available && one.status !== 'OUTAGE');
  return (
    <>
      {link.error === null ? null : <Problem error={link.error} title={WELCOME.bank.failed} />}
      <div className={classes.actions}>
        <Button
          classNames={{ root: classes.named ?? '', label: classes.label ?? '' }}
          rightSection={<Icon name="chevron" size={16} />}
          disabled={bank === undefined}
          loading={link.isPending || link.isSuccess}
          onClick={() => bank && link.mutate(bank)}
        >
          {bank === undefined ? WELCOME.bank.action : WELCOME.sandboxBank.action(bank.name)}
        </Button>
        <Link to={APP_PATHS.newConnection}>{WELCOME.sandboxBank.other}</Link>
      </div>
    </>
  );
}

/** Connects the simulated spreadsheets, then makes one and the sync that fills it. */
export function SpreadsheetStep({ tour: { bank, destination, sync } }: { readonly tour: Tour }) {
  const { title, text, connected } = WELCOME.spreadsheet;
  const state = sync !== null ? 'done' : bank === null ? 'later' : 'now';
  const ready = destination?.status === 'active' || destination?.status === 'incomplete';
  return (
    <Step number={2} title={title} state={state}>
      {sync !== null ? (
        <p className={classes.text}>{WELCOME.copies(sync.name)}</p>
      ) : bank === null || !ready ? (
        <>
          <p className={classes.text}>{text}</p>
          {bank === null ? null : <Connect again={destination} />}
        </>
      ) : (
        <>
          <p className={classes.text}>{connected}</p>
          <Copy bank={bank} destination={destination} />
        </>
      )}
    </Step>
  );
}

/** `again`: the destination that has lost its access, if there is one. */
function Connect({ again }: { readonly again: Destination | null }) {
  const stillHere = useStillHere();
  const connect = useMutation({
    mutationFn: () =>
      createDestinationLink({
        type: 'sheets',
        return_url: appUrl('welcome').href,
        ...(again?.status === 'reauth_required' && { destination: again.id }),
      }),
    onMutate: stillHere,
    onSuccess: ({ url }, _, isHere) => {
      if (isHere()) location.assign(url);
    },
  });
  const { connect: action, connectFailed } = WELCOME.spreadsheet;
  return (
    <>
      {connect.error === null ? null : <Problem error={connect.error} title={connectFailed} />}
      <Button
        className={classes.action ?? ''}
        rightSection={<Icon name="chevron" size={16} />}
        loading={connect.isPending || connect.isSuccess}
        onClick={() => connect.mutate()}
      >
        {action}
      </Button>
    </>
  );
}

function Copy({ bank, destination }: { readonly bank: Connection; readonly destination: Destination }) {
  const queries = useQueryClient();
  const accounts = copiedAccounts(bank).map(({ id }) => id);
  const { name, syncName, copy: action, copyFailed } = WELCOME.spreadsheet;
  const copy = useMutation({
    mutationFn: async () => {
      // After a failure in between, the spreadsheet is there already.
      if (destination.status === 'incomplete')
        await api.destinations.createTarget({ id: destination.id, name });
      return api.syncs.create({
        type: 'transactions',
        name: syncName(bank.institution.name),
        destination: destination.id,
        accounts,
        mapping_mode: 'bulk',
        // A newcomer can read "Groceries", and not the code of a bank.
        options: { custom_categories: true },
      });
    },
    onSettled: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: destinations.queryKey }),
        queries.invalidateQueries({ queryKey: syncs.queryKey }),
      ]),
  });
  return (
    <>
      {copy.error === null ? null : <Problem error={copy.error} title={copyFailed} />}
      <Button
        className={classes.action ?? ''}
        disabled={accounts.length === 0}
        loading={copy.isPending || copy.isSuccess}
        onClick={() => copy.mutate()}
      >
        {action}
      </Button>
      {accounts.length === 0 ? (
        <p className={classes.text} role="status">
          {WELCOME.listing(bank.institution.name)}
        </p>
      ) : null}
    </>
  );
}

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

/** The way to what the application itself shows of the bank, from the moment the rows are there. */
export function ChartsStep({ tour: { sync } }: { readonly tour: Tour }) {
  const { title, text, action } = WELCOME.charts;
  const ready = sync?.latest_run?.status === 'succeeded';
  return (
    <Step number={4} title={title} state={ready ? 'now' : 'later'}>
      <p className={classes.text}>{text}</p>
      {ready ? (
        <LinkButton to={APP_PATHS.home} className={classes.action ?? ''}>
          {action}
        </LinkButton>
      ) : null}
    </Step>
  );
}

function Progress({ sync }: { readonly sync: Sync }) {
  const { busy, run, outcome } = useSyncActions(sync);
  const { latest_run: latest, attention } = sync;
  const { counts, status } = latest ?? { counts: null, status: 'queued' };
  const copiedRows = useCopiedRows(sync);
  const { reading, waiting, copied, failed, again } = WELCOME.rows;
  const ended = status === 'failed' || status === 'cancelled';
  return (
    <>
      <p className={classes.text} role="status">
        {status === 'succeeded' && counts !== null
          ? copied(copiedRows)
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

/** Rows that the runs listed have copied together: the latest often finds nothing new. */
function useCopiedRows({ id, latest_run: latest }: Sync): number {
  const { data } = useInfiniteQuery({
    ...syncRuns(id, 'succeeded'),
    enabled: latest?.status === 'succeeded' && latest.counts.added === 0,
  });
  const earlier = (data?.pages ?? []).flatMap((page) => page.data);
  return earlier.reduce(
    (sum, run) => (run.id === latest?.id ? sum : sum + run.counts.added),
    latest?.counts.added ?? 0,
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
