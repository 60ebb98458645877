import assert from 'node:assert/strict';
import { test } from 'node:test';
import { attentionItems } from '../../web/src/home/attention-items.ts';

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

const actions = (looked: Partial<Looked>) =>
  attentionItems({ connections: [], destinations: [], eventDestinations: [], syncs: [], ...looked }).map(
    ({ name, action }) => `${name}: ${action}`,
  );

test('nothing is listed where everything is as it should be', () => {
  const looked = { connections: [connection({})], destinations: [destination({})], syncs: [sync(null)] };
  assert.deepEqual(actions({ ...looked, eventDestinations: [events({ disabled_reason: 'owner' })] }), []);
});

test('each problem has the action that ends it', () => {
  assert.deepEqual(actions({ connections: [connection({ status: 'expired' })] }), [
    'Gumtree Mutual: reauthorize',
  ]);
  assert.deepEqual(actions({ destinations: [destination({ status: 'reauth_required' })] }), [
    'Ledger: connect',
  ]);
  const secret = destination({ status: 'reauth_required', type: 'postgres' });
  assert.deepEqual(actions({ destinations: [secret] }), ['Ledger: open']);
  const webhook = destination({ status: 'disabled', type: 'webhook' });
  assert.deepEqual(actions({ destinations: [webhook] }), ['Ledger: enable']);
  assert.deepEqual(actions({ eventDestinations: [events({})] }), ['Pager: enable_events']);
  assert.deepEqual(actions({ syncs: [sync('run_failed')] }), ['Household: run']);
  assert.deepEqual(actions({ syncs: [sync('connection_lost')] }), ['Household: open']);
});

test('a sync that waits for a bank or a destination listed itself is not listed again', () => {
  const lapsed = connection({
    status: 'expired',
    accounts: [
      {
        id: 'acct_1',
        object: 'account_item',
        connection: 'conn_1',
        institution: { id: 'inst_1', name: 'Gumtree Mutual', logo: 'https://logos.example.test/gm.svg' },
        provider: 'au_banking',
        category: 'banking',
        type: 'transaction',
        name: 'Everyday',
        balance_sign: null,
        status: 'available',
        account_number: null,
        currency: 'aud',
        last_updated_at: null,
        livemode: true,
        created: SOME.created,
        updated: SOME.updated,
      },
    ],
  });
  assert.deepEqual(actions({ connections: [lapsed], syncs: [sync('consent_expired')] }), [
    'Gumtree Mutual: reauthorize',
  ]);
  const broken = destination({ status: 'reauth_required' });
  assert.deepEqual(actions({ destinations: [broken], syncs: [sync('destination_auth_expired')] }), [
    'Ledger: connect',
  ]);
  assert.deepEqual(actions({ destinations: [broken], syncs: [sync('run_failed')] }), [
    'Ledger: connect',
    'Household: run',
  ]);
  assert.deepEqual(actions({ syncs: [sync('consent_expired')] }), ['Household: run']);
});
