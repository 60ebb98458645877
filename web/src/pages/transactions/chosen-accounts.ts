import type { Account } from '#client';
import type { AccountsOfBank } from '../../api/transactions.ts';

/** The accounts that a choice stands for: one, all of a connection, or all there are where it names neither. */
export function chosenAccounts(accounts: readonly Account[], choice: string | undefined): readonly Account[] {
  const named = accounts.filter(({ id, connection }) => id === choice || connection === choice);
  if (named.length > 0) return named;
  // An account that its bank lists no longer cannot be read, and would fail the others with it.
  const readable = accounts.filter(({ status }) => status === 'available');
  return readable.length > 0 ? readable : accounts;
}

/** Accounts by the connection that they are read through, in the order they come. */
export function banksOf(accounts: readonly Account[]): readonly AccountsOfBank[] {
  return [...Map.groupBy(accounts, ({ connection }) => connection)].map(([connection, members]) => ({
    connection,
    name: members[0]?.institution.name ?? '',
    accounts: members.map(({ id }) => id),
  }));
}
