import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Account } from '#client';
import { attentionItems } from '../../web/src/api/attention.ts';
import { isDismissed, readDismissed } from '../../web/src/api/dismissed-rows.ts';

type Looked = Parameters<typeof attentionItems>[0];

const SOME = {
  metadata: {},
  livemode: true,
  created: '2026-01-01T00:00:00Z',
  updated: '2026-01-01T00:00:00Z',
} as const;

const connection = (more: Partial<Looked['connections'][number]>): Looked['connections'][number] => ({
  id: 'conn_1',
  object: 'connection',
  provider: 'au_banking',
  category: 'banking',
  institution: { id: 'inst_1', name: 'Gumtree Mutual', logo: 'https://logos.example.test/gm.svg' },
  status: 'active',
  account_count: 0,
  last_refreshed_at: null,
  consent: null,
  chosen_institution: null,
  accounts: [],
  ...SOME,
  ...more,
});

const destination = (more: Partial<Looked['destinations'][number]>): Looked['destinations'][number] => ({
  id: 'dest_1',
  object: 'destination',
  type: 'sheets',
  name: 'Ledger',
  status: 'active',
  target: {},
  config: null,
  sync_count: 1,
  ...SOME,
  ...more,
});

const sync = (
  code: NonNullable<Looked['syncs'][number]['attention']>['code'] | null,
): Looked['syncs'][number] => ({
  id: 'sync_1',
  object: 'sync',
  name: 'Household',
  type: 'transactions',
  enabled: true,
  status: code === null ? 'idle' : 'attention',
  attention: code === null ? null : { code },
  destination: { id: 'dest_1', type: 'sheets', name: 'Ledger', mapping_mode: 'bulk' },
  accounts: ['acct_1'],
  account_mappings: [],
  columns: null,
  options: {
    data_from: '2026-01-01',
    include_pending: false,
    mask_account_numbers: true,
    custom_categories: false,
    include_balances_tab: false,
  },
  rulesets: [],
  warnings: [],
  latest_run: null,
  schedule: null,
  last_synced_at: null,
  next_run_at: null,
  ...SOME,
});

const events = (more: Partial<Looked['eventDestinations'][number]>): Looked['eventDestinations'][number] => ({
  id: 'ed_1',
  object: 'event_destination',
  name: 'Pager',
  status: 'disabled',
  disabled_reason: 'failing',
  failing_since: null,
  webhook_endpoint: { url: 'https://example.test', signing_secret: null },
  enabled_events: ['*'],
  ...SOME,
  ...more,
});

const items = (looked: Partial<Looked>) =>
  attentionItems({
    connections: [],
    destinations: [],
    eventDestinations: [],
    syncs: [],
    dismissed: new Set(),
    aside: new Map(),
    ...looked,
  });
const kinds = (looked: Partial<Looked>) => items(looked).map(({ name, kind }) => `${name}: ${kind}`);

const account = (more: Partial<Account> = {}): Account => ({
  id: 'acct_1',
  object: 'account_item',
  connection: 'conn_1',
  institution: { id: 'inst_1', name: 'Gumtree Mutual', logo: 'https://logos.example.test/gm.svg' },
  provider: 'au_banking',
  category: 'banking',
  type: 'transaction',
  name: 'Everyday',
  nickname: null,
  in_totals: true,
  balance_sign: null,
  duplicate_of: null,
  status: 'available',
  account_number: null,
  currency: 'aud',
  last_updated_at: null,
  livemode: true,
  created: SOME.created,
  updated: SOME.updated,
  ...more,
});

const run = (rejected: number): NonNullable<Looked['syncs'][number]['latest_run']> => ({
  id: 'run_1',
  object: 'sync_run',
  sync: 'sync_1',
  destination: 'dest_1',
  status: 'succeeded',
  trigger: 'schedule',
  range: null,
  counts: { processed: 9, added: 0, updated: 0, rejected, skipped_by_rules: 0 },
  rejected_unlisted: 0,
  failure: null,
  account_results: null,
  started_at: null,
  completed_at: null,
  duration_ms: 0,
  livemode: true,
  created: SOME.created,
});

/** A consent that ends in so many days. */
const ending = (id: string, days: number) =>
  connection({
    id,
    status: 'expiring',
    consent: {
      id: 'cons_1',
      status: 'expiring',
      expires_at: new Date(Date.now() + days * 86_400_000).toISOString(),
    },
  });

test('nothing is listed where everything is as it should be', () => {
  const looked = {
    connections: [connection({ accounts: [account({ type: 'loan', balance_sign: 'owed' })] })],
    destinations: [destination({})],
    syncs: [{ ...sync(null), latest_run: run(0) }],
  };
  assert.deepEqual(kinds({ ...looked, eventDestinations: [events({ disabled_reason: 'owner' })] }), []);
});

test('each problem is listed once, as what it is', () => {
  assert.deepEqual(kinds({ connections: [connection({ status: 'expired' })] }), [
    'Gumtree Mutual: consent_ended',
  ]);
  for (const status of ['reauth_required', 'disabled', 'incomplete'] as const)
    assert.deepEqual(kinds({ destinations: [destination({ status })] }), ['Ledger: destination']);
  assert.deepEqual(kinds({ eventDestinations: [events({})] }), ['Pager: event_destination']);
  assert.deepEqual(kinds({ syncs: [sync('run_failed')] }), ['Household: sync']);
  const loan = account({ name: 'Home Loan', type: 'loan', balance_sign: 'unverified' });
  assert.deepEqual(kinds({ connections: [connection({ accounts: [loan] })] }), ['Home Loan: balance_sign']);
});

test('rows that the latest run could not deliver are listed, unless they were dismissed or the sync is paused or listed itself', () => {
  const rejected = { ...sync(null), latest_run: run(2) };
  assert.deepEqual(kinds({ syncs: [rejected] }), ['Household: rows_rejected']);
  assert.deepEqual(kinds({ syncs: [rejected], dismissed: new Set([run(2).id]) }), []);
  assert.deepEqual(kinds({ syncs: [rejected], dismissed: new Set(['run_0']) }).length, 1);
  assert.deepEqual(kinds({ syncs: [{ ...rejected, enabled: false }] }), []);
  assert.deepEqual(kinds({ syncs: [{ ...sync('run_failed'), latest_run: run(2) }] }), ['Household: sync']);
});

test('rows that could not be read are listed of their account, unless a sync that reads it lists them', () => {
  const connections = [connection({ accounts: [account(), account({ id: 'acct_2', name: 'Savings' })] })];
  const aside = new Map([['acct_1', 3]]);
  assert.deepEqual(kinds({ connections, aside }), ['Everyday: rows_unread']);
  assert.deepEqual(kinds({ connections, aside, syncs: [{ ...sync(null), enabled: false }] }), [
    'Everyday: rows_unread',
  ]);
  assert.deepEqual(kinds({ connections, aside, syncs: [{ ...sync(null), latest_run: run(3) }] }), [
    'Household: rows_rejected',
  ]);
});

test('dismissed rows stay dismissed in later runs, and another row in place of one of them is listed', () => {
  const dismissed = new Map([['sync_1', { run: 'run_0', rows: ['rej_1', 'rej_2'] }]]);
  const rows = (...ids: readonly string[]) => ids.map((id) => ({ id }));
  assert.equal(isDismissed({ ...run(2), id: 'run_0' }, dismissed, undefined), true, 'the run itself');
  assert.equal(isDismissed(run(2), dismissed, undefined), null, 'it depends on which they are');
  assert.equal(isDismissed(run(2), dismissed, rows('rej_2', 'rej_1')), true);
  assert.equal(isDismissed(run(1), dismissed, rows('rej_2')), true);
  assert.equal(isDismissed(run(2), dismissed, rows('rej_2', 'rej_3')), false);
  assert.equal(isDismissed(run(3), dismissed, undefined), false, 'one of three is not one of two');
  assert.equal(isDismissed({ ...run(1), rejected_unlisted: 1 }, dismissed, rows()), false);
  assert.equal(isDismissed({ ...run(2), sync: 'sync_2' }, dismissed, undefined), false);
});

test('what stops everything comes first, and what can wait comes last', () => {
  const loan = account({ name: 'Home Loan', type: 'loan', balance_sign: 'unverified' });
  const found = items({
    connections: [
      ending('conn_late', 20.5),
      ending('conn_soon', 2.5),
      connection({ accounts: [loan] }),
    ].concat(connection({ id: 'conn_over', status: 'expired' })),
    destinations: [
      destination({ id: 'dest_new', status: 'incomplete' }),
      destination({ status: 'disabled' }),
    ],
    syncs: [
      { ...sync(null), latest_run: run(1) },
      { ...sync('run_failed'), id: 'sync_2' },
    ],
    eventDestinations: [events({})],
  });
  assert.deepEqual(
    found.map(({ id }) => id),
    ['conn_over', 'dest_1', 'sync_2', 'conn_soon', 'rows-sync_1', 'ed_1', 'acct_1', 'dest_new', 'conn_late'],
  );
  assert.equal(new Set(found.map(({ id }) => id)).size, found.length);
});

test('a connection that brings only accounts of another one is linked twice; a shared account of several is not', () => {
  const twice = account({ id: 'acct_2', name: 'Card', duplicate_of: 'acct_1' });
  const own = account({ id: 'acct_3', name: 'Own' });
  const linked = (...accounts: Account[]) => ({ connections: [connection({ accounts })] });
  assert.deepEqual(kinds(linked(twice)), ['Card: linked_twice']);
  assert.deepEqual(kinds(linked(twice, own)), []);
  assert.deepEqual(kinds(linked(own)), []);
  const lapsed = connection({ status: 'expired', accounts: [twice] });
  assert.deepEqual(kinds({ connections: [lapsed] }), ['Gumtree Mutual: consent_ended']);
  const unsure = account({ type: 'loan', balance_sign: 'unverified', duplicate_of: 'acct_1' });
  assert.deepEqual(kinds(linked(unsure, own)), []);
});

test('a sync that waits for a bank or a destination listed itself is not listed again', () => {
  const lapsed = connection({
    status: 'expired',
    accounts: [account()],
  });
  assert.deepEqual(kinds({ connections: [lapsed], syncs: [sync('consent_expired')] }), [
    'Gumtree Mutual: consent_ended',
  ]);
  const broken = destination({ status: 'reauth_required' });
  assert.deepEqual(kinds({ destinations: [broken], syncs: [sync('destination_auth_expired')] }), [
    'Ledger: destination',
  ]);
  assert.deepEqual(kinds({ destinations: [broken], syncs: [sync('run_failed')] }), [
    'Ledger: destination',
    'Household: sync',
  ]);
  assert.deepEqual(kinds({ syncs: [sync('consent_expired')] }), ['Household: sync']);
});

test('what a browser has stored about dismissed rows is read as far as it makes sense', () => {
  const stored =
    '{"sync_1": {"run": "run_1", "rows": ["rej_1", 2]}, "sync_2": 3, "sync_3": {"run": "run_3"}}';
  assert.deepEqual([...readDismissed(stored)], [['sync_1', { run: 'run_1', rows: ['rej_1'] }]]);
  for (const text of [null, '', '[1]', 'null', '{']) assert.equal(readDismissed(text).size, 0);
});
