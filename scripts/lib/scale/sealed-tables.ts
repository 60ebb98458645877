import { born, type FilledTable, type KINDS, kid, rid, user } from './filled-columns.ts';

/** Rows with sealed columns: `$2` numbers of rows within the record, `$3` and `$4` their sealed values. */
export interface SealedTable extends FilledTable {
  readonly kind: keyof typeof KINDS;
  readonly columns: readonly string[];
  /** How many rows record n has. */
  readonly count: (n: number) => number;
  /** Bytes of each value before it is sealed. */
  readonly bytes: number;
  /** Whether the id is a hash of the row's number instead of a UUID. */
  readonly hashed?: true;
}

export const SEALED_TABLES: readonly SealedTable[] = [
  {
    kind: 'endUser',
    columns: ['customer'],
    count: (n) => 1 + (n % 2),
    bytes: 40,
    table: 'end_users (id, account_record, provider, connection, customer, customer_hash, created)',
    rows: `select ${kid('endUser', 'k')}, ${rid}, 'au_banking', ${kid('connection', 'k')}, one, pg_temp.bytes(n), ${born}`,
  },
  {
    kind: 'consent',
    columns: ['grant'],
    count: (n) => 1 + (n % 2),
    bytes: 180,
    table:
      'consents (id, account_record, connection, provider, current, consent_hash, "grant", data_categories, granted_at, expires_at, checked_at, recorded_status, end_user, created, updated)',
    rows: `select ${kid('consent', 'k')}, ${rid}, ${kid('connection', 'k')}, 'au_banking', true, pg_temp.bytes(n * 64 + k), one, '{accounts,transactions}', ${born}, pg_temp.ago(-8640000000.0 - (n * 7919) % 20000000000), pg_temp.ago(n % 86400000), 'active', ${kid('endUser', 'k')}, ${born}, ${born}`,
  },
  {
    kind: 'destination',
    columns: ['mac_key', 'signing_secret'],
    count: (n) => 1 + (n % 5 === 0 ? 1 : 0),
    bytes: 32,
    table:
      'destinations (id, account_record, type, name, status, target, mac_key, signing_secret, created, updated)',
    rows: `select ${kid('destination', 'k')}, ${rid}, 'webhook', 'books', 'active', '{"v":1}', one, two, ${born}, ${born}`,
  },
  {
    kind: 'receiver',
    columns: ['endpoint', 'signing_secret'],
    count: (n) => (n % 10 < 3 ? 1 : 0),
    bytes: 60,
    table:
      'event_destinations (id, account_record, name, endpoint, signing_secret, enabled_events, status, created, updated)',
    rows: `select ${kid('receiver', 'k')}, ${rid}, 'receiver', one, two, '{*}', 'enabled', ${born}, ${born}`,
  },
  {
    kind: 'document',
    columns: ['name'],
    count: (n) => (n % 50 === 0 ? 1 : 0),
    bytes: 24,
    table:
      'documents (id, account_record, format, bytes, content_mac, name, parts, taken_at, created, updated)',
    rows: `select ${kid('document', 'k')}, ${rid}, 'ofx', 5000, 'mac'||n, one, '[]', ${born}, ${born}, ${born}`,
  },
  {
    kind: 'device',
    columns: ['subscription'],
    count: (n) => (n % 10 < 3 ? 1 : 0),
    bytes: 400,
    table: 'push_devices (id, user_id, endpoint_hash, subscription, browser, created)',
    rows: `select ${kid('device', 'k')}, ${user}, pg_temp.bytes(n), one, 'Chrome on Android', ${born}`,
  },
  {
    kind: 'factor',
    columns: ['secret'],
    count: (n) => (n % 10 === 0 ? 1 : 0),
    bytes: 20,
    table: 'second_factors (id, user_id, secret, last_step, confirmed_at, created)',
    rows: `select ${kid('factor', 'k')}, ${user}, one, 1, ${born}, ${born}`,
  },
  {
    kind: 'answer',
    columns: ['answer'],
    count: () => 2,
    bytes: 340,
    hashed: true,
    table: 'idempotency_keys (id, account_record, api_key, answer, actor_kind, created)',
    rows: `select pg_temp.bytes(n * 64 + k), ${rid}, ${kid('key')}, one, 'api_key', pg_temp.ago((k * 14 + n % 14) * 86400000.0)`,
  },
];
