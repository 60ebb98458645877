import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Connection, Destination } from '#client';
import { appUrl } from '../../api/app-url.ts';
import { api } from '../../api/client.ts';
import { createDestinationLink, destinations } from '../../api/destinations.ts';
import { syncs } from '../../api/syncs.ts';
import { Icon } from '../../parts/icon.tsx';
import { Problem } from '../../parts/page-states.tsx';
import { WELCOME } from '../../text/welcome.ts';
import { Step } from './step.tsx';
import { copiedAccounts, type Tour } from './tour-state.ts';
import classes from './welcome.module.css';

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
  const connect = useMutation({
    mutationFn: () =>
      createDestinationLink({
        type: 'sheets',
        return_url: appUrl('welcome').href,
        ...(again?.status === 'reauth_required' && { destination: again.id }),
      }),
    onSuccess: ({ url }) => location.assign(url),
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
