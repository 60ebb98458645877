import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Account, AccountRecord } from '#client';
import { accounts } from '../api/accounts.ts';
import { me } from '../api/me.ts';
import { LoadingRows, Problem } from '../parts/page-states.tsx';
import { TRANSACTIONS } from '../text/transactions.ts';
import type { AccountsOfBank } from './reads.ts';

/** The accounts that a choice means: one, all of a connection, or all if it names neither. */
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

/** In a choice of accounts, every account. */
const EVERY_ACCOUNT = '';

/** What a person may choose of accounts: all, all of a bank, or one, below the names of their banks. */
export function accountOptions(accounts: readonly Account[]) {
  const banks = [...Map.groupBy(accounts, ({ connection }) => connection)];
  const groups = banks.map(([connection, members]) => {
    const group = members[0]?.institution.name ?? '';
    const items = members.map((account) => ({ value: account.id, label: accountLabel(account) }));
    const all = { value: connection, label: TRANSACTIONS.everyAccountOf(group) };
    return { group, items: banks.length > 1 && members.length > 1 ? [all, ...items] : items };
  });
  if (accounts.length === 1) return groups;
  return [{ value: EVERY_ACCOUNT, label: TRANSACTIONS.everyAccount }, ...groups];
}

/** An account's name with the last digits of its number. */
export function accountLabel({ name, account_number: number }: Account): string {
  return number === null ? name : `${name} ${number.replace('xxxx', '•••• ')}`;
}

interface WithAccountsProps {
  /** How many rows the page is likely to have. */
  readonly expected: number;
  readonly children: (accounts: readonly Account[], record: AccountRecord) => ReactNode;
}

/** Renders what needs the accounts and the account record, once both are loaded. */
export function WithAccounts({ expected, children }: WithAccountsProps) {
  const listed = useQuery(accounts);
  const record = useQuery(me);
  if (listed.data !== undefined && record.data !== undefined) return children(listed.data, record.data);
  const error = listed.error ?? record.error;
  if (error === null) return <LoadingRows count={expected} />;
  return <Problem error={error} again={() => Promise.all([listed.refetch(), record.refetch()])} />;
}
