import type { Account, ApiKey, Category, Connection, Destination, Ruleset, SavedView, Sync } from '#client';
import { DESTINATION_KINDS } from '../../../../src/vocabulary/destination-kinds.ts';
import { APP_PATHS } from '../../../../src/vocabulary/page-paths.ts';
import { bankNames } from '../../format/account-names.ts';
import { accountNumberText } from '../../format/account-number.ts';
import { PALETTE } from '../../text/palette.ts';
import { parseSearch } from '../search.ts';
import type { Entry } from './entries.ts';

/** As far as lists are searched; the pages of longer ones show the rest. */
const MOST_OF_A_LIST = 100;

/** What a person has, of each kind as far as it was read. */
export interface OwnThings {
  readonly accounts: readonly Account[];
  readonly connections: readonly Connection[];
  readonly syncs: readonly Sync[];
  readonly destinations: readonly Destination[];
  readonly rulesets: readonly Ruleset[];
  readonly categories: readonly Category[];
  readonly views: readonly SavedView[];
  readonly apiKeys: readonly ApiKey[];
  /** Whether there are keys beyond those. */
  readonly moreApiKeys: boolean;
  readonly mayRun: boolean;
  readonly mayRefresh: boolean;
}

/** Everything a person has, and what can be done with it at once. */
export function ownEntries(things: OwnThings): readonly Entry[] {
  const { accounts, connections, syncs, destinations, rulesets, categories, views, apiKeys } = things;
  const banks = bankNames(connections);
  const groups = new Map(categories.map(({ id, name }) => [id, name]));
  return [
    ...accounts.slice(0, MOST_OF_A_LIST).map(
      ({ id, name, institution, account_number: number }): Entry => ({
        id: `account:${id}`,
        kind: 'account',
        name,
        detail: number === null ? institution.name : `${institution.name} ${accountNumberText(number)}`,
        icon: 'bank',
        choice: { does: 'open', place: { to: APP_PATHS.account, params: { id } } },
      }),
    ),
    ...connections.slice(0, MOST_OF_A_LIST).map(
      ({ id, institution }): Entry => ({
        id: `bank:${id}`,
        kind: 'bank',
        name: banks.get(id) ?? institution.name,
        detail: '',
        icon: 'bank',
        choice: { does: 'open', place: { to: APP_PATHS.connection, params: { id } } },
      }),
    ),
    ...syncs.slice(0, MOST_OF_A_LIST).map(
      ({ id, name, destination }): Entry => ({
        id: `sync:${id}`,
        kind: 'sync',
        name,
        detail: destination.name,
        icon: 'sync',
        choice: { does: 'open', place: { to: APP_PATHS.sync, params: { id } } },
      }),
    ),
    ...destinations.slice(0, MOST_OF_A_LIST).map(
      ({ id, name, type }): Entry => ({
        id: `destination:${id}`,
        kind: 'destination',
        name,
        detail: DESTINATION_KINDS[type].texts.name,
        icon: 'send',
        choice: { does: 'open', place: { to: APP_PATHS.destination, params: { id } } },
      }),
    ),
    ...views.map(
      ({ id, name, query }): Entry => ({
        id: `view:${id}`,
        kind: 'view',
        name,
        detail: '',
        icon: 'list',
        choice: {
          does: 'open',
          place: { to: APP_PATHS.transactions, search: { ...parseSearch(query), view: id } },
        },
      }),
    ),
    ...rulesets.slice(0, MOST_OF_A_LIST).map(
      ({ id, name }): Entry => ({
        id: `ruleset:${id}`,
        kind: 'ruleset',
        name,
        detail: '',
        icon: 'tag',
        choice: { does: 'open', place: { to: APP_PATHS.ruleset, params: { id } } },
      }),
    ),
    ...categories
      .filter(({ archived }) => !archived)
      .slice(0, MOST_OF_A_LIST)
      .map(
        ({ id, name, parent }): Entry => ({
          id: `category:${id}`,
          kind: 'category',
          name,
          detail: (parent === null ? undefined : groups.get(parent)) ?? '',
          icon: 'tag',
          choice: { does: 'open', place: { to: APP_PATHS.transactions, search: { category: id } } },
        }),
      ),
    ...apiKeys.slice(0, MOST_OF_A_LIST).map(
      ({ id, name, prefix }): Entry => ({
        id: `key:${id}`,
        kind: 'key',
        name,
        detail: prefix,
        icon: 'key',
        choice: { does: 'open', place: { to: APP_PATHS.apiKey, params: { id } } },
      }),
    ),
    ...(things.mayRun ? syncs.filter(({ status }) => status !== 'running') : []).slice(0, MOST_OF_A_LIST).map(
      (sync): Entry => ({
        id: `run:${sync.id}`,
        kind: 'action',
        name: PALETTE.does.run(sync.name),
        detail: sync.destination.name,
        icon: 'sync',
        choice: { does: 'run', sync },
      }),
    ),
    ...(things.mayRefresh ? connections : []).slice(0, MOST_OF_A_LIST).map(
      (bank): Entry => ({
        id: `refresh:${bank.id}`,
        kind: 'action',
        name: PALETTE.does.refresh(bank.institution.name),
        detail: '',
        icon: 'sync',
        choice: { does: 'refresh', bank },
      }),
    ),
  ];
}

const search = (id: string, name: string, choice: Entry['choice']): Entry => ({
  id: `search:${id}`,
  kind: 'search',
  name,
  detail: '',
  icon: 'search',
  choice,
});

/** Where else to look for a text, which becomes part of the address. */
export function searchEntries(typed: string, things: OwnThings): readonly Entry[] {
  const text = typed.trim();
  const docs = (path: string) => `${path}?${new URLSearchParams({ q: text }).toString()}`;
  const { searches } = PALETTE;
  const more = (list: keyof typeof searches.more, isLonger: boolean): readonly Entry[] => {
    const to = APP_PATHS[list];
    return isLonger ? [search(to, searches.more[list], { does: 'open', place: { to } })] : [];
  };
  const isLong = ({ length }: readonly unknown[]) => length > MOST_OF_A_LIST;
  return [
    search('transactions', searches.transactions(text), {
      does: 'open',
      place: { to: APP_PATHS.transactions, search: { q: text } },
    }),
    ...more('connections', isLong(things.accounts) || isLong(things.connections)),
    ...more('syncs', isLong(things.syncs)),
    ...more('destinations', isLong(things.destinations)),
    ...more('rulesets', isLong(things.rulesets)),
    ...more('categories', isLong(things.categories)),
    ...more('apiKeys', things.moreApiKeys),
    search('guides', searches.guides(text), { does: 'leave', address: docs('docs/guides') }),
    search('reference', searches.reference(text), { does: 'leave', address: docs('docs') }),
  ];
}
