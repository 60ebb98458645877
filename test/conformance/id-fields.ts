import type { Operation } from '../../src/operations/operation.ts';
import { contentOf, csvOf, STATEMENT } from '../features/documents/statements.ts';
import { type Ask, pathOf, type Thing } from './asks.ts';
import { askAbout, type Ids } from './inputs.ts';
import { ruleBody, syncBody } from './things.ts';

/** A field of a query or a body that names a thing, and a request in which it names the thing with the id. */
export interface IdField {
  readonly name: string;
  readonly thing: Thing;
  readonly ask: (operation: Operation, own: Ids, id: string) => Ask;
}

const inQuery = (name: string, thing: Thing): IdField => ({
  name,
  thing,
  ask: (operation, own, id) => ({ ...askAbout(operation, own), query: `${name}=${id}` }),
});

const inBody = (name: string, thing: Thing, body: (own: Ids, id: string) => unknown): IdField => ({
  name,
  thing,
  ask: (operation, own, id) => ({ ...askAbout(operation, own), body: body(own, id) }),
});

const assigned = (account: string, category: string) => ({
  account,
  transactions: ['txn_fk_1'],
  category,
});

/** Every field besides the path that names something of the owner's. */
export const ID_FIELDS: Readonly<Record<string, readonly IdField[]>> = {
  list_accounts: [inQuery('connection', 'connection')],
  list_consents: [inQuery('connection', 'connection')],
  list_balances: [inQuery('account', 'account')],
  export_transactions: [
    {
      name: 'account',
      thing: 'account',
      ask: (operation, own, id) => ({ ...askAbout(operation, own), query: `account[]=${id}` }),
    },
  ],
  list_transactions: [inQuery('account', 'account')],
  get_transaction: [inQuery('account', 'account')],
  list_changes: [inQuery('account', 'account')],
  list_holdings: [inQuery('account', 'account')],
  list_trades: [inQuery('account', 'account')],
  list_syncs: [inQuery('destination', 'destination')],
  create_destination_link: [
    inBody('destination', 'destination', (_own, id) => ({
      type: 'sheets',
      return_url: 'https://app.example.test/back',
      destination: id,
    })),
  ],
  create_sync: [
    inBody('destination', 'destination', (own, id) => syncBody(own('account'), id)),
    inBody('accounts', 'account', (own, id) => syncBody(id, own('destination'))),
  ],
  update_sync: [inBody('accounts', 'account', (_own, id) => ({ accounts: [id] }))],
  attach_rulesets: [inBody('rulesets', 'ruleset', (_own, id) => ({ rulesets: [id] }))],
  list_categories: [inQuery('parent', 'category')],
  create_category: [inBody('parent', 'category', (_own, id) => ({ name: 'x', parent: id }))],
  update_category: [inBody('parent', 'category', (_own, id) => ({ parent: id }))],
  delete_category: [inQuery('reassign_to', 'category')],
  assign_category: [
    inBody('account', 'account', (own, id) => assigned(id, own('category'))),
    inBody('category', 'category', (own, id) => assigned(own('account'), id)),
  ],
  create_document: [
    inBody('account', 'account', (_own, id) => ({
      name: 'a.csv',
      content: contentOf(csvOf(STATEMENT)),
      account: id,
    })),
  ],
  update_document: [inBody('account', 'account', (_own, id) => ({ account: id }))],
  create_rule: [inBody('actions', 'category', (_own, id) => ({ ...ruleBody(), actions: [setCategory(id)] }))],
  update_rule: [inBody('actions', 'category', (_own, id) => ({ actions: [setCategory(id)] }))],
  preview_ruleset: [inBody('account', 'account', (_own, id) => ({ account: id }))],
};

const setCategory = (category: string) => ({ type: 'set_category', value: category });

const NAMES: ReadonlySet<string> = new Set([
  'account',
  'accounts',
  'connection',
  'consent',
  'destination',
  'parent',
  'reassign_to',
  'ruleset',
  'rulesets',
  'category',
  'sync',
  'key',
]);

/** Named like a thing of the owner's, but the destination's own. */
const FOREIGN: ReadonlySet<string> = new Set([
  'list_destination_resources parent',
  'create_destination_target parent',
]);

/** Fields of the operation's own level that are named like a thing; each must be in ID_FIELDS. */
export function fieldsNamedLikeThings(operation: Operation): string[] {
  const names = [...Object.keys(operation.query.properties), ...Object.keys(operation.body.properties)];
  return names.filter((name) => NAMES.has(name) && !FOREIGN.has(`${operation.id} ${name}`));
}

/** The operation's path with one of its ids replaced. */
export function pathWith(operation: Operation, own: Ids, at: number, id: string): string {
  let seen = -1;
  return pathOf(operation, (thing) => {
    seen += 1;
    return seen === at ? id : own(thing);
  });
}
