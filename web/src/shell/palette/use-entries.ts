import { useInfiniteQuery, useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { groupsOf } from '../../../../src/vocabulary/description/described-operation.ts';
import { APP_PATHS } from '../../../../src/vocabulary/page-paths.ts';
import { sharedRecords } from '../../api/account-records.ts';
import { accounts } from '../../api/accounts.ts';
import { apiKeys } from '../../api/api-keys.ts';
import { categories } from '../../api/categories.ts';
import { connections } from '../../api/connections.ts';
import { description } from '../../api/description.ts';
import { destinations } from '../../api/destinations.ts';
import { me, useRecordName } from '../../api/me.ts';
import { rulesets } from '../../api/rulesets.ts';
import { savedViews } from '../../api/saved-views.ts';
import { syncs } from '../../api/syncs.ts';
import { PALETTE } from '../../text/palette.ts';
import { SHELL } from '../../text/shell.ts';
import type { Entry } from './entries.ts';
import { ACTION_ENTRIES, GUIDE_ENTRIES, PAGE_ENTRIES, SETTINGS_ENTRIES } from './fixed-entries.ts';
import { type OwnThings, ownEntries } from './own-entries.ts';

interface Entries {
  /** In the order in which equally good ones are shown. */
  readonly all: readonly Entry[];
  readonly things: OwnThings;
  /** The account record, once it is known. */
  readonly record: string | null;
  readonly state: 'reading' | 'incomplete' | 'complete';
}

/** Everything that can be chosen: pages and actions at once, and the rest as the lists that pages share are read. */
export function useEntries(): Entries {
  const { data: record } = useQuery(me);
  const scopes = record?.scopes;
  const mayKeys = scopes?.includes('keys:write') === true;
  const lists = useQueries({
    queries: [accounts, connections, syncs, destinations, rulesets, categories, savedViews],
  });
  const keys = useInfiniteQuery({ ...apiKeys, enabled: mayKeys });
  const operations = useOperations();
  const records = useRecords(record?.id);
  const [ownAccounts, banks, copies, places, rules, tree, views] = lists;
  const things = useMemo(
    (): OwnThings => ({
      accounts: ownAccounts.data ?? [],
      connections: banks.data ?? [],
      syncs: copies.data ?? [],
      destinations: places.data ?? [],
      rulesets: rules.data ?? [],
      categories: tree.data ?? [],
      views: views.data ?? [],
      apiKeys: keys.data?.pages.flatMap(({ data }) => data) ?? [],
      moreApiKeys: keys.hasNextPage,
      mayRun: scopes?.includes('syncs:write') === true,
      mayRefresh: scopes?.includes('connections:write') === true,
    }),
    [
      ownAccounts.data,
      banks.data,
      copies.data,
      places.data,
      rules.data,
      tree.data,
      views.data,
      keys.data,
      keys.hasNextPage,
      scopes,
    ],
  );
  const all = useMemo(
    () => [
      ...PAGE_ENTRIES,
      ...ownEntries(things),
      ...[...ACTION_ENTRIES, ...SETTINGS_ENTRIES].flatMap(([entry, scope]) =>
        scope === null || scopes?.includes(scope) === true ? [entry] : [],
      ),
      ...records,
      ...GUIDE_ENTRIES,
      ...operations,
    ],
    [things, scopes, records, operations],
  );
  const reads = [...lists, ...(mayKeys ? [keys] : [])];
  const isReading = record === undefined || reads.some(({ isPending }) => isPending);
  const isIncomplete = reads.some(({ data, error }) => data === undefined && error !== null);
  return {
    all,
    things,
    record: record?.id ?? null,
    state: isIncomplete ? 'incomplete' : isReading ? 'reading' : 'complete',
  };
}

const ALL_RECORDS: Entry = {
  id: 'settings:settings/accounts',
  kind: 'settings',
  name: SHELL.records.all,
  detail: '',
  icon: 'person',
  choice: { does: 'leave', address: 'settings/accounts' },
};
const NO_RECORDS: readonly Entry[] = [];

/** The other account records of someone who shares several. */
function useRecords(shown: string | undefined): readonly Entry[] {
  const several = useRecordName() !== null;
  const { data } = useQuery({ ...sharedRecords, enabled: several });
  return useMemo(() => {
    if (!several) return NO_RECORDS;
    const others = (data ?? []).filter(({ id }) => id !== shown);
    const entries = others.map(
      ({ id, label, detail }): Entry => ({
        id: `record:${id}`,
        kind: 'record',
        name: PALETTE.does.switchTo(label),
        detail,
        icon: 'person',
        choice: { does: 'switch', record: id },
      }),
    );
    return [...entries, ALL_RECORDS];
  }, [several, data, shown]);
}

/** The operations of v2, if their description was read before: for their names alone it would be too much to read. */
function useOperations(): readonly Entry[] {
  const described = useQueryClient().getQueryData(description.queryKey);
  return useMemo(
    () =>
      (described === undefined ? [] : groupsOf(described))
        .flatMap(({ operations }) => operations)
        .map(
          ({ id, summary }): Entry => ({
            id: `operation:${id}`,
            kind: 'operation',
            name: summary,
            detail: id,
            icon: 'code',
            choice: { does: 'open', place: { to: APP_PATHS.operation, params: { operation: id } } },
          }),
        ),
    [described],
  );
}
