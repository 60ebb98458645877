import type { Scope } from '../../../src/vocabulary/scopes.ts';

/** What each scope allows, as docs/scopes.md says it; a test compares the two. */
export const SCOPE_WORDS: Readonly<Record<Scope, string>> = {
  'account:read': 'Read the account record beyond what `GET /v2/me` shows to every key',
  'connections:read': 'List institutions, and read connections and consents',
  'connections:write':
    'Link banks and read link sessions; renew, refresh and delete connections; say what a positive balance of a loan or a card means',
  'data:read': 'Read accounts, balances, details, transactions, holdings, trades and provider categories',
  'categories:read': 'Read the category tree',
  'categories:write': 'Change the category tree and what its categories claim',
  'destinations:read': 'Read destinations and list what is inside them',
  'destinations:write': 'Link, create, aim and delete destinations, and rotate signing secrets',
  'syncs:read': 'Read syncs, their runs and category mappings',
  'syncs:write': 'Create, change, run and delete syncs, and attach rulesets',
  'rules:read': 'Read rulesets and rules',
  'rules:write': 'Change rulesets and rules',
  'events:read': 'Read events and event destinations',
  'events:write': 'Change event destinations, ping them, and send events again',
  'keys:write':
    'Read, create, rotate and revoke API keys; connect, change and revoke SimpleFIN apps; disconnect apps',
};
