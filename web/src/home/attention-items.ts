import type { Connection, Destination, EventDestination, Sync } from '#client';
import { DESTINATION_KINDS } from '../../../src/vocabulary/destination-kinds.ts';
import { APP_PATHS } from '../../../src/vocabulary/page-paths.ts';
import { daysUntil } from '../format/moments.ts';
import { HOME } from '../text/home.ts';

/** What needs a person's attention, and the action that helps. */
export type AttentionItem = { readonly id: string; readonly name: string; readonly reason: string } & (
  | { readonly action: 'reauthorize'; readonly connection: Connection }
  | { readonly action: 'connect' | 'enable'; readonly destination: Destination }
  | { readonly action: 'enable_events'; readonly destination: EventDestination }
  | { readonly action: 'run'; readonly sync: Sync }
  | { readonly action: 'open'; readonly page: typeof APP_PATHS.sync | typeof APP_PATHS.destination }
);

interface Looked {
  readonly connections: readonly Connection[];
  readonly destinations: readonly Destination[];
  readonly eventDestinations: readonly EventDestination[];
  readonly syncs: readonly Sync[];
}

/** Causes before consequences: a sync that waits for a listed bank or destination is not listed as well. */
export function attentionItems({
  connections,
  destinations,
  eventDestinations,
  syncs,
}: Looked): readonly AttentionItem[] {
  const banks = connections.flatMap(ofConnection);
  const places = destinations.flatMap(ofDestination);
  const lapsed = new Set(connections.filter((one) => LAPSED.has(one.status)).flatMap(accountsOf));
  const broken = new Set(places.map(({ id }) => id));
  const stuck = syncs.filter((sync) => !isCausedBy(sync, lapsed, broken)).flatMap(ofSync);
  return [...banks, ...places, ...stuck, ...eventDestinations.flatMap(ofEventDestination)];
}

const LAPSED: ReadonlySet<Connection['status']> = new Set(['expired', 'invalidated']);

function accountsOf({ accounts }: Connection): readonly string[] {
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
/** Another run would end the same way, until other accounts or another place are chosen. */
const NEEDS_CHANGE: ReadonlySet<AttentionCode> = new Set([
  'destination_resource_missing',
  'connection_lost',
  'account_unavailable',
]);

function ofConnection(connection: Connection): readonly AttentionItem[] {
  const { id, status, consent, institution } = connection;
  const reason =
    status === 'expired'
      ? HOME.connection.expired
      : status === 'invalidated'
        ? HOME.connection.invalidated
        : status === 'expiring' && consent?.expires_at != null
          ? HOME.connection.expiring(daysUntil(consent.expires_at))
          : null;
  return reason === null ? [] : [{ id, name: institution.name, reason, action: 'reauthorize', connection }];
}

function ofDestination(destination: Destination): readonly AttentionItem[] {
  const { id, name, type, status } = destination;
  if (status === 'disabled') {
    return [{ id, name, reason: HOME.destination.disabled, action: 'enable', destination }];
  }
  if (status !== 'reauth_required') return [];
  const reason = HOME.destination.reauth_required;
  // Where a secret connects it, a new one is entered on its page.
  return DESTINATION_KINDS[type].connects === 'link'
    ? [{ id, name, reason, action: 'connect', destination }]
    : [{ id, name, reason, action: 'open', page: APP_PATHS.destination }];
}

function ofSync(sync: Sync): readonly AttentionItem[] {
  const { id, name, attention } = sync;
  if (attention === null) return [];
  const reason = HOME.sync[attention.code];
  return NEEDS_CHANGE.has(attention.code)
    ? [{ id, name, reason, action: 'open', page: APP_PATHS.sync }]
    : [{ id, name, reason, action: 'run', sync }];
}

/** One that its owner has disabled needs nothing. */
function ofEventDestination(destination: EventDestination): readonly AttentionItem[] {
  const { id, name, status, disabled_reason: why } = destination;
  if (status !== 'disabled' || why === null || why === 'owner') return [];
  return [{ id, name, reason: HOME.events[why], action: 'enable_events', destination }];
}
