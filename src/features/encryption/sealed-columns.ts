import type { SealedPlace } from '../../storage/sealed-values.ts';

/** A sealed column of the schema: where it is, for which purpose its values are sealed, and to what each is bound. */
export interface SealedColumn extends SealedPlace {
  readonly purpose: string;
  readonly context: (id: string | Uint8Array) => string;
  /** Responses for replays are stored only for days; a start does not fail because of them. */
  readonly lasting: boolean;
}

export const SEAL_PURPOSES = {
  linking: 'linking',
  destinations: 'destinations',
  idempotency: 'idempotency-key',
  macKeys: 'mac-keys',
  eventDestinations: 'event-destinations',
  oauth: 'oauth',
  secondFactors: 'second-factors',
  notifications: 'notifications',
  keyCheck: 'key-check',
  documents: 'documents',
} as const;

const {
  linking,
  destinations,
  idempotency,
  macKeys,
  eventDestinations,
  oauth,
  secondFactors,
  notifications,
  keyCheck,
  documents,
} = SEAL_PURPOSES;

/**
 * Every sealed column, as checked by a start, re-sealed by a rotation and opened by the doctor. A test compares it with
 * the schema.
 */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  column('end_users', 'customer', linking),
  column('link_sessions', 'vendor_state', linking),
  column('consents', 'grant', linking),
  column('destinations', 'mac_key', destinations),
  column('destinations', 'signing_secret', destinations),
  {
    ...column('destinations', 'previous_secret', destinations),
    context: bound('destinations', 'signing_secret'),
  },
  column('destinations', 'grant', destinations),
  column('destinations', 'sealed_target', destinations),
  column('event_destinations', 'endpoint', eventDestinations),
  column('event_destinations', 'signing_secret', eventDestinations),
  {
    ...column('event_destinations', 'previous_secret', eventDestinations),
    context: bound('event_destinations', 'signing_secret'),
  },
  column('grant_revocations', 'grant', destinations),
  { ...column('idempotency_keys', 'answer', idempotency), lasting: false },
  column('oauth_clients', 'metadata', oauth),
  { ...column('oauth_interactions', 'payload', oauth), lasting: false },
  column('key_checks', 'sealed', keyCheck),
  column('documents', 'name', documents),
  column('document_pieces', 'content', documents),
  column('retained_mac_keys', 'subkey', macKeys),
  column('second_factors', 'secret', secondFactors),
  column('push_devices', 'subscription', notifications),
  column('vapid_keys', 'private_key', notifications),
];

function column(table: string, name: string, purpose: string): SealedColumn {
  return { table, column: name, purpose, context: bound(table, name), lasting: true };
}

/** `<table>/<row>/<column>`, so that a value opens only in the place for which it was sealed. */
function bound(table: string, name: string): SealedColumn['context'] {
  return (id) => `${table}/${typeof id === 'string' ? id : Buffer.from(id).toString('hex')}/${name}`;
}
