/** What fields of these names mean in every resource that has them, unless its resource or its schema says better. */
export const RESOURCE_WORDS: Readonly<Record<string, string>> = {
  id: 'Prefixed and opaque.',
  object: 'Which kind of object this is.',
  livemode: 'Always true today.',
  metadata: 'Up to 50 pairs of text of your own.',
  created: 'RFC 3339, UTC, with milliseconds.',
  updated: 'RFC 3339, UTC, with milliseconds.',
  account: 'Id of the account, acct_….',
  accounts: 'Ids of the accounts, acct_….',
  connection: 'Id of the connection, conn_….',
  destination: 'Id of the destination, dest_….',
  sync: 'Id of the sync, sync_….',
  ruleset: 'Id of the ruleset, rset_….',
  provider: 'Which provider serves it.',
  currency: 'ISO 4217, lower case.',
  name: 'For people.',
  enabled: 'Whether it takes part.',
  started_at: 'When the work began.',
  completed_at: 'When it was done.',
};

/** What fields of these names mean in a query, unless the resource or the schema says better. */
export const QUERY_WORDS: Readonly<Record<string, string>> = {
  account: 'The account, acct_….',
  connection: 'Only those of this connection, conn_….',
  destination: 'Only those of this destination, dest_….',
  provider: 'Only those of this provider.',
  status: 'Only those with one of these statuses.',
  enabled: 'Only those that are enabled, or only the others.',
  include_pending: 'Whether rows that are not posted yet are listed too; false when absent.',
  limit: 'Ignored.',
};

/** What fields of these names mean in a body, unless the resource or the schema says better. */
export const BODY_WORDS: Readonly<Record<string, string>> = {
  name: 'For people.',
  metadata: 'Up to 50 pairs of text of your own: keys up to 40 characters, values up to 500.',
  return_url: 'Where the person is sent afterwards.',
  enabled: 'Whether it takes part; true when absent on creation.',
  account: 'The account, acct_….',
  accounts: 'Ids of accounts, acct_….',
  destination: 'Id of the destination, dest_….',
};
