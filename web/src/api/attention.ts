import type { Account, Connection, Destination, EventDestination, Sync, SyncRun } from '#client';
import { bankNames } from '../format/account-names.ts';
import { daysUntil } from '../format/moments.ts';

/**
 * What needs a person. A further kind is a member here, its place in `urgencyOf`, the function that finds it, and its
 * line on Home.
 */
export type AttentionItem = { readonly id: string; readonly name: string } & (
  | { readonly kind: 'consent_ended'; readonly connection: Connection }
  | { readonly kind: 'consent_ending'; readonly connection: Connection; readonly days: number }
  | { readonly kind: 'destination'; readonly destination: Destination }
  | { readonly kind: 'sync'; readonly sync: Sync; readonly code: AttentionCode }
  | { readonly kind: 'rows_rejected'; readonly run: SyncRun }
  | { readonly kind: 'rows_unread'; readonly account: Account; readonly count: number }
  | { readonly kind: 'event_destination'; readonly destination: EventDestination }
  | { readonly kind: 'balance_sign'; readonly account: Account }
  | { readonly kind: 'linked_twice'; readonly connection: Connection; readonly more: number }
);

interface Looked {
  readonly connections: readonly Connection[];
  readonly destinations: readonly Destination[];
  readonly eventDestinations: readonly EventDestination[];
  readonly syncs: readonly Sync[];
  /** The runs whose rejected rows were dismissed, by their ids. */
  readonly dismissed: ReadonlySet<string>;
  /** How many rows of an account could not be read, by its id. */
  readonly aside: ReadonlyMap<string, number>;
}

/**
 * Most urgent first. Causes before consequences: a sync that waits for a listed bank or destination is not listed as
 * well.
 */
export function attentionItems(looked: Looked): readonly AttentionItem[] {
  const { connections, destinations, eventDestinations, syncs, dismissed } = looked;
  const names = bankNames(connections);
  const banks = connections.flatMap((one) => ofConnection(one, names.get(one.id) ?? one.institution.name));
  const places = destinations.flatMap(ofDestination);
  const lapsed = new Set(connections.filter((one) => LAPSED.has(one.status)).flatMap(accountIdsOf));
  const broken = new Set(places.map(({ id }) => id));
  const stuck = syncs.filter((sync) => !isCausedBy(sync, lapsed, broken)).flatMap(ofSync);
  const items = [
    ...banks,
    ...places,
    ...stuck,
    ...syncs.flatMap((sync) => ofRejectedRows(sync, dismissed)),
    ...connections.flatMap((connection) => ofRowsAside(connection, looked)),
    ...eventDestinations.flatMap(ofEventDestination),
    ...connections.flatMap(ofBalances),
    ...connections.flatMap(ofDuplicates),
  ];
  return items.toSorted((one, other) => urgencyOf(one) - urgencyOf(other));
}

/** A consent that ends within these days stops syncs before most people look again. */
const SOON_DAYS = 7;

/** The lower, the sooner: what stops everything, then what loses something, then what can wait. */
function urgencyOf(item: AttentionItem): number {
  switch (item.kind) {
    case 'consent_ended':
      return 0;
    case 'destination':
      return item.destination.status === 'incomplete' ? 7 : 1;
    case 'sync':
      return 2;
    case 'consent_ending':
      return item.days <= SOON_DAYS ? 3 : 8;
    case 'rows_rejected':
    case 'rows_unread':
      return 4;
    case 'event_destination':
      return 5;
    case 'balance_sign':
      return 6;
    case 'linked_twice':
      return 9;
  }
}

const LAPSED: ReadonlySet<Connection['status']> = new Set(['expired', 'invalidated']);

function accountIdsOf({ accounts }: Connection): readonly string[] {
  return (accounts ?? []).map(({ id }) => id);
}

function isCausedBy(
  { attention, destination, accounts }: Sync,
  lapsed: ReadonlySet<string>,
  broken: ReadonlySet<string>,
): boolean {
  if (attention === null) return false;
  if (DESTINATION_CODES.has(attention.code)) return broken.has(destination.id);
  return attention.code === 'consent_expired' && accounts.some((account) => lapsed.has(account));
}

type AttentionCode = NonNullable<Sync['attention']>['code'];

const DESTINATION_CODES: ReadonlySet<AttentionCode> = new Set([
  'destination_auth_expired',
  'destination_disabled',
]);

function ofConnection(connection: Connection, name: string): readonly AttentionItem[] {
  const { id, status, consent } = connection;
  const one = { id, name, connection };
  if (LAPSED.has(status)) return [{ ...one, kind: 'consent_ended' }];
  if (status !== 'expiring' || consent?.expires_at == null) return [];
  return [{ ...one, kind: 'consent_ending', days: daysUntil(consent.expires_at) }];
}

function ofDestination(destination: Destination): readonly AttentionItem[] {
  const { id, name, status } = destination;
  return status === 'active' ? [] : [{ id, name, kind: 'destination', destination }];
}

function ofSync(sync: Sync): readonly AttentionItem[] {
  const { id, name, attention } = sync;
  return attention === null ? [] : [{ id, name, kind: 'sync', sync, code: attention.code }];
}

/** Of the latest run: each run that reads a row which cannot be delivered counts it again. */
function ofRejectedRows(
  { id, name, enabled, attention, latest_run: run }: Sync,
  dismissed: ReadonlySet<string>,
): readonly AttentionItem[] {
  if (!enabled || attention !== null || run === null || run.counts.rejected === 0) return [];
  if (dismissed.has(run.id)) return [];
  return [{ id: `rows-${id}`, name, kind: 'rows_rejected', run }];
}

/** A sync that reads the account lists what its runs could not deliver, and there it can be dismissed. */
function ofRowsAside(
  { accounts }: Connection,
  { syncs, aside }: Pick<Looked, 'syncs' | 'aside'>,
): readonly AttentionItem[] {
  const read = new Set(syncs.filter(({ enabled }) => enabled).flatMap((sync) => sync.accounts));
  return (accounts ?? []).flatMap((account) => {
    const count = aside.get(account.id) ?? 0;
    if (count === 0 || read.has(account.id)) return [];
    return [{ id: `aside-${account.id}`, name: account.name, kind: 'rows_unread', account, count }];
  });
}

/** One that its owner has disabled needs nothing. */
function ofEventDestination(destination: EventDestination): readonly AttentionItem[] {
  const { id, name, status, disabled_reason: why } = destination;
  if (status !== 'disabled' || why === null || why === 'owner') return [];
  return [{ id, name, kind: 'event_destination', destination }];
}

function ofBalances({ accounts }: Connection): readonly AttentionItem[] {
  return (accounts ?? [])
    .filter(
      ({ balance_sign: sign, status, duplicate_of: counted }) =>
        sign === 'unverified' && status === 'available' && counted === null,
    )
    .map((account) => ({ id: account.id, name: account.name, kind: 'balance_sign', account }));
}

/**
 * A connection that brings nothing but accounts that another one brings. One that shares only some of them, such as the
 * joint account of two people, is how they want it.
 */
export function linksTwice({ accounts, status }: Connection): boolean {
  const all = accounts ?? [];
  return !LAPSED.has(status) && all.length > 0 && all.every(({ duplicate_of: counted }) => counted !== null);
}

function ofDuplicates(connection: Connection): readonly AttentionItem[] {
  const [first, ...others] = connection.accounts ?? [];
  if (first === undefined || !linksTwice(connection)) return [];
  const id = `twice-${connection.id}`;
  return [{ id, name: first.name, kind: 'linked_twice', connection, more: others.length }];
}
