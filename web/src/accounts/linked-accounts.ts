import type { Account, Connection } from '#client';

/** An account that can be read, and the bank or broker it is at. */
export interface LinkedAccount {
  readonly account: Account;
  readonly connection: Connection;
}

/**
 * Accounts at brokers that home reads: each is a request that calls the broker, and a page has other reads to do.
 */
export const MOST_INVESTED = 10;

/** Whether it counts in totals: one that is linked twice counts once, and one that its owner leaves out does not. */
export function isInTotals(account: Pick<Account, 'duplicate_of' | 'in_totals'>): boolean {
  return account.duplicate_of === null && account.in_totals;
}

export function inTotals(linked: readonly LinkedAccount[]): readonly LinkedAccount[] {
  return linked.filter(({ account }) => isInTotals(account));
}

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
