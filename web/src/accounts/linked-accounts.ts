import type { Account, Connection } from '#client';

/** An account that can be read, and the bank or broker it is at. */
export interface LinkedAccount {
  readonly account: Account;
  readonly connection: Connection;
}

/**
 * Accounts at brokers that home reads: each is a request of the heavy tier, which has 30 a minute, and the page has other
 * reads to do.
 */
export const MOST_INVESTED = 10;

export function linkedAccounts(
  connections: readonly Connection[],
  wanted: Account['category'],
): readonly LinkedAccount[] {
  return connections.flatMap((connection) =>
    (connection.accounts ?? [])
      .filter(({ category, status }) => category === wanted && status === 'available')
      .map((account) => ({ account, connection })),
  );
}

/** Each is read by its own request, so that a failing bank hides no other. */
const MOST_GROUPS = 6;
/** As many as one export may name (`export_accounts`, docs/limits.md). */
const MOST_IN_A_GROUP = 100;

/** The accounts of each bank; those of further banks share groups, so that the number of requests stays small. */
export function readingGroups(linked: readonly LinkedAccount[]): readonly (readonly string[])[] {
  const banks = [...new Set(linked.map(({ connection }) => connection.id))];
  const groups = Array.from({ length: Math.min(banks.length, MOST_GROUPS) }, (_, group) =>
    linked
      .filter(({ connection }) => banks.indexOf(connection.id) % MOST_GROUPS === group)
      .map(({ account }) => account.id),
  );
  return groups.map((accounts) => accounts.slice(0, MOST_IN_A_GROUP));
}
