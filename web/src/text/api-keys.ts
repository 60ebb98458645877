import type { Scope } from '../../../src/vocabulary/scopes.ts';
import { counted } from '../format/numbers.ts';
import { translated } from './translated.ts';

export const API_KEYS = translated('API_KEYS', {
  title: 'API keys',
  intro:
    'A program shows its key with every request. Give each program a key of its own with no more scopes than it needs: you can then revoke one without the others.',
  all: 'All keys',
  create: 'Create API key',
  none: 'No API key yet',
  noneText: 'Create one to read your accounts or run your syncs from a program of your own.',
  status: { active: 'Active', expiring: 'Replaced', revoked: 'Revoked', expired: 'Expired' },
  stops: (moment: string) => `Stops working ${moment}`,
  expires: (moment: string) => `Expires ${moment}`,
  addresses: (count: number) => `From ${counted(count, 'address', 'addresses')}`,
  scopes: (count: number) => counted(count, 'scope', 'scopes'),
  allScopes: 'All scopes',
  createdBy: (who: string) => `Created by ${who}`,
  makers: {
    operator: 'the operator',
    key: (name: string) => `API key “${name}”`,
  },
  legacy: 'Made before scopes existed: it reads everything and changes nothing.',
  facts: {
    prefix: 'Begins with',
    createdBy: 'Created by',
    expires: 'Expires',
    stops: 'Stops working',
    addresses: 'Works from',
    anywhere: 'Any address',
    replaces: 'Replaces',
    metadata: 'Metadata',
  },
  scopesTitle: 'What it may do',
  rotate: 'Rotate',
  revoke: 'Revoke',
  rotating: {
    title: (name: string) => `Rotate ${name}?`,
    text: 'You get a new key with the same name, scopes, addresses and expiry. Its secret is shown once.',
    grace: 'The old key keeps working for',
    graces: {
      '0': 'no longer: it stops at once',
      '1h': '1 hour',
      '24h': '24 hours',
      '7d': '7 days',
    },
    action: 'Rotate key',
  },
  revoking: {
    title: (name: string) => `Revoke ${name}?`,
    does: 'This cannot be undone. It will:',
    stop: (prefix: string) => `refuse every request with the key ${prefix}…, at once`,
    used: (ago: string) => `break whatever used it ${ago}`,
    unused: 'break nothing that has used it so far: it was never used',
    keep: 'leave your other keys and connected apps as they are',
    action: 'Revoke key',
  },
  secret: {
    created: (name: string) => `${name} is created`,
    rotated: (name: string) => `${name} is rotated`,
    once: 'Copy the secret now. It is shown this once, and cannot be shown again.',
    secret: 'Secret',
    try: 'Try it',
    tryLabel: 'Command that uses the key',
    done: 'I have copied it',
  },
  failed: {
    create: 'The key was not created',
    rename: 'The name was not changed',
    rotate: (name: string) => `${name} was not rotated`,
    revoke: (name: string) => `${name} was not revoked`,
  },
  revoked: (name: string) => `${name} is revoked`,
  revokedText: 'It is refused from now on.',
});

export const NEW_API_KEY = translated('NEW_API_KEY', {
  title: 'Create an API key',
  name: 'Name',
  nameHint: 'What will use it, so that you recognise it later: “Budget script on the home server”.',
  scopes: 'Scopes',
  scopesHint: 'What the key may do. It cannot be changed later.',
  allRead: 'All that read',
  clear: 'None',
  read: 'Read',
  write: 'Read and change',
  included: 'Comes with the scope that changes it.',
  chosen: (count: number) =>
    count === 0 ? 'Choose at least one scope.' : `${counted(count, 'scope', 'scopes')} chosen`,
  groups: {
    account: 'Account record',
    connections: 'Connections',
    data: 'Financial data',
    categories: 'Categories',
    destinations: 'Destinations',
    syncs: 'Syncs',
    rules: 'Rules',
    events: 'Events',
    keys: 'API keys and apps',
  },
  limits: 'Limits',
  addresses: 'Allowed addresses',
  addressesHint:
    'One a line: an IPv4 address, a range such as 203.0.113.0/24, or an IPv6 address. Leave it empty to allow any.',
  expires: 'Expires',
  expiresHint:
    'The key stops working at the end of this day in UTC. Leave it empty to let it work until you revoke it.',
  metadata: 'Metadata',
  metadataHint: 'Up to 50 pairs of your own, one a line: key=value. Optional.',
  metadataInvalid: (line: string) => `“${line}” has no equals sign. Write key=value.`,
});

/** What each scope allows, as docs/scopes.md says it; a test compares the two. */
export const SCOPE_WORDS = translated<Readonly<Record<Scope, string>>>('SCOPE_WORDS', {
  'account:read': 'Read the account record beyond what `GET /v2/me` shows to every key',
  'connections:read': 'List institutions, and read connections, consents and the records of statement files',
  'connections:write':
    'Link banks and read link sessions; upload, take, undo and delete statement files; renew, refresh and delete connections; say what a positive balance of a loan or a card means',
  'data:read': 'Read accounts, balances, details, transactions, holdings, trades and provider categories',
  'categories:read': 'Read the category tree and saved views',
  'categories:write': 'Change the category tree, what its categories claim, and saved views',
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
});
