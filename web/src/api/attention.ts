import type { Account, Connection, Destination, EventDestination, Sync, SyncRun } from '#client';
import { daysUntil } from '../format/moments.ts';
import type { DismissedRows } from './dismissed-rows.ts';

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
  | { readonly kind: 'event_destination'; readonly destination: EventDestination }
  | { readonly kind: 'balance_sign'; readonly account: Account }
);

interface Looked {
  readonly connections: readonly Connection[];
  readonly destinations: readonly Destination[];
  readonly eventDestinations: readonly EventDestination[];
  readonly syncs: readonly Sync[];
  readonly dismissed: DismissedRows;
}

/**
 * Most urgent first. Causes before consequences: a sync that waits for a listed bank or destination is not listed as
 * well.
 */
export function attentionItems(looked: Looked): readonly AttentionItem[] {
  const { connections, destinations, eventDestinations, syncs, dismissed } = looked;
  const banks = connections.flatMap(ofConnection);
  const places = destinations.flatMap(ofDestination);
  const lapsed = new Set(connections.filter((one) => LAPSED.has(one.status)).flatMap(accountIdsOf));
  const broken = new Set(places.map(({ id }) => id));
  const stuck = syncs.filter((sync) => !isCausedBy(sync, lapsed, broken)).flatMap(ofSync);
  const items = [
    ...banks,
    ...places,
    ...stuck,
    ...syncs.flatMap((sync) => ofRejectedRows(sync, dismissed)),
    ...eventDestinations.flatMap(ofEventDestination),
    ...connections.flatMap(ofBalances),
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
      return 4;
    case 'event_destination':
      return 5;
    case 'balance_sign':
      return 6;
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

function ofConnection(connection: Connection): readonly AttentionItem[] {
  const { id, status, consent, institution } = connection;
  const one = { id, name: institution.name, connection };
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
  dismissed: DismissedRows,
): readonly AttentionItem[] {
  if (!enabled || attention !== null || run === null || run.counts.rejected === 0) return [];
  // If there are more or fewer by now, they are not the ones that were dismissed.
  if (dismissed.get(id) === run.counts.rejected) return [];
  return [{ id: `rows-${id}`, name, kind: 'rows_rejected', run }];
}

/** One that its owner has disabled needs nothing. */
function ofEventDestination(destination: EventDestination): readonly AttentionItem[] {
  const { id, name, status, disabled_reason: why } = destination;
  if (status !== 'disabled' || why === null || why === 'owner') return [];
  return [{ id, name, kind: 'event_destination', destination }];
}

function ofBalances({ accounts }: Connection): readonly AttentionItem[] {
  return (accounts ?? [])
    .filter(({ balance_sign: sign, status }) => sign === 'unverified' && status === 'available')
    .map((account) => ({ id: account.id, name: account.name, kind: 'balance_sign', account }));
}
