import { NOT_MAPPED } from '../account-mappings.ts';
import type { DestinationKind } from './kind.ts';

/** Postgres: rows become rows of a table. */
export const POSTGRES: DestinationKind = {
  connects: 'secret',
  secret: 'connection_address',
  console: null,
  holds: ['transactions', 'holdings', 'trades'],
  signingSecret: false,
  failure: 'lost_grant',
  columns: true,
  target: {
    keys: ['schema', 'table'],
    resources: { schema: null, table: { parent: 'schema', targetKey: 'schema' } },
    steps: { outer: { kind: 'schema', key: 'schema' }, inner: { kind: 'table', key: 'table' } },
    makes: { kind: 'table', parent: 'optional' },
    hasAddress: false,
  },
  mapping: NOT_MAPPED,
  mapsCategories: false,
  demoRows: null,
  texts: {
    name: 'Postgres',
    recipient: 'a Postgres database',
    target: 'A Postgres table',
    for: 'A table in a database of your own, with exact amounts, for queries and dashboards.',
    needs:
      'Postgres 13 or newer that can be reached from the internet, and a database user for Tributary alone.',
    sends: 'One row for each transaction, holding or trade, with all standard columns.',
    asks: 'What you grant the database user: to make and fill tables in one schema.',
    mayDo: 'Nothing: it needs no link',
    stays:
      'Tables and rows stay. Drop the database user to end its access; the sealed secret is removed here.',
    ends: 'remove the sealed secret. Drop the database user to end its access there too',
    makes: 'Tributary makes it with its columns and indexes, and with a view of monthly sums.',
    balances: 'In a table of their own, with one row for each account.',
    guide: 'destination-services#postgres',
  },
};
