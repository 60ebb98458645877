import type { Operation } from '../../src/operations/operation.ts';
import { CSV_LAYOUT, contentOf, ofxOf, STATEMENT } from '../features/documents/statements.ts';
import { type Ask, pathOf, type Thing } from './asks.ts';
import { eventDestinationBody, ruleBody, syncBody } from './things.ts';

export type Ids = (thing: Thing) => string;

const RETURN_URL = 'https://app.example.test/back';
const metadata = { metadata: { colour: 'green' } };
const named = { name: 'Another name' };

/** A well-formed body for each operation; ids are filled in. Each call returns a new object. */
const BODIES: Readonly<Record<string, (ids: Ids) => unknown>> = {
  create_api_key: () => ({ name: 'another', scopes: ['data:read'] }),
  update_api_key: () => named,
  rotate_api_key: () => ({ grace: '1d' }),
  create_simplefin_setup_token: () => ({ name: 'budget app', two_decimals: true }),
  update_simplefin_app: () => named,
  create_link_session: (ids) => ({
    provider: 'au_banking',
    institution: ids('connection').replace('conn_', 'inst_fk_'),
    return_url: RETURN_URL,
  }),
  update_account: () => ({}),
  update_connection: () => metadata,
  reauthorize_connection: () => ({ return_url: RETURN_URL }),
  create_destination: () => ({
    type: 'webhook',
    name: 'books',
    target: { url: `http://127.0.0.1:9/${process.hrtime.bigint()}` },
  }),
  update_destination: () => named,
  create_destination_target: () => named,
  create_destination_link: (ids) => ({
    type: 'sheets',
    return_url: RETURN_URL,
    destination: ids('destination'),
  }),
  create_sync: (ids) => syncBody(ids('account'), ids('destination')),
  update_sync: () => named,
  backfill_sync: () => ({ from: new Date(Date.now() - 20 * 86_400_000).toISOString().slice(0, 10) }),
  replay_sync: () => ({ from: new Date(Date.now() - 20 * 86_400_000).toISOString().slice(0, 10) }),
  resync: () => ({ confirm: true }),
  set_category_mappings: () => ({ mappings: [] }),
  attach_rulesets: (ids) => ({ rulesets: [ids('ruleset')] }),
  create_category: () => named,
  update_category: () => named,
  claim_category_sources: () => ({ sources: [] }),
  reset_categories: () => ({ confirm: true }),
  assign_category: (ids) => ({
    account: ids('account'),
    transactions: ['txn_fk_1'],
    category: ids('category'),
  }),
  create_document: () => ({ name: 'october.ofx', content: contentOf(ofxOf(STATEMENT)), layout: CSV_LAYOUT }),
  update_document: () => ({ layout: CSV_LAYOUT, retain_days: 7 }),
  create_saved_view: () => ({ name: 'Coffee', query: 'q=coffee&days=30' }),
  update_saved_view: () => named,
  create_ruleset: () => named,
  update_ruleset: () => named,
  create_rule: () => ruleBody(),
  update_rule: () => named,
  reorder_ruleset: (ids) => ({ rules: [ids('rule')] }),
  preview_ruleset: (ids) => ({ account: ids('account') }),
  create_event_destination: () => eventDestinationBody(),
  update_event_destination: () => named,
};

/** The query that each operation needs to reach its handler, or to name something. */
const QUERIES: Readonly<Record<string, (ids: Ids) => string>> = {
  list_accounts: (ids) => `connection=${ids('connection')}`,
  list_consents: (ids) => `connection=${ids('connection')}`,
  list_balances: (ids) => `account=${ids('account')}`,
  list_transactions: (ids) => `account=${ids('account')}`,
  list_changes: (ids) => `account=${ids('account')}`,
  // The one format that shows the owner's categories.
  export_transactions: (ids) => `account[]=${ids('account')}&format=jsonl`,
  export_sync: () => 'format=jsonl',
  get_transaction: (ids) => `account=${ids('account')}`,
  list_holdings: (ids) => `account=${ids('account')}`,
  list_trades: (ids) => `account=${ids('account')}`,
  list_syncs: (ids) => `destination=${ids('destination')}`,
  list_categories: (ids) => `parent=${ids('category')}`,
  list_destination_resources: () => 'type=budget',
};

export function bodyOf(operation: Operation, ids: Ids): unknown {
  return BODIES[operation.id]?.(ids);
}

export function queryOf(operation: Operation, ids: Ids): string {
  return QUERIES[operation.id]?.(ids) ?? '';
}

/** A request of the right shape about things with these ids. */
export function askAbout(operation: Operation, ids: Ids): Ask {
  return {
    method: operation.method,
    path: pathOf(operation, ids),
    query: queryOf(operation, ids),
    body: bodyOf(operation, ids),
  };
}
