import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Account, AccountRecord } from '#client';
import { accounts } from '../api/accounts.ts';
import { me } from '../api/me.ts';
import { accountLabel, bankNamesOf } from '../format/account-names.ts';
import { Empty, LoadingRows, Problem } from '../parts/page-states.tsx';
import { TRANSACTIONS, UNLINKED_ACCOUNT } from '../text/transactions.ts';
import type { AccountsOfBank } from './reads.ts';

/** In a choice of accounts, every account. */
const EVERY_ACCOUNT = '';

/** The accounts that a choice means: one, all of a connection, or all. None if what it names is no longer linked. */
export function chosenAccounts(
  accounts: readonly Account[],
  choice: string = EVERY_ACCOUNT,
): readonly Account[] {
  if (choice !== EVERY_ACCOUNT) {
    return accounts.filter(({ id, connection }) => id === choice || connection === choice);
  }
  // An account that its bank lists no longer cannot be read, and would fail the others with it; one that is linked twice
  // would count twice.
  const readable = accounts.filter((one) => one.status === 'available' && one.duplicate_of === null);
  return readable.length > 0 ? readable : accounts;
}

/** Accounts by the connection that they are read through, in the order they come. */
export function banksOf(accounts: readonly Account[]): readonly AccountsOfBank[] {
  const names = bankNamesOf(accounts);
  return [...Map.groupBy(accounts, ({ connection }) => connection)].map(([connection, members]) => ({
    connection,
    name: names.get(connection) ?? '',
    accounts: members.map(({ id }) => id),
  }));
}

/** In place of what was to be read of an account that is no longer linked: all that could be read is of other accounts. */
export function UnlinkedAccount({ onShowAll }: { readonly onShowAll: () => void }) {
  return (
    <Empty
      title={UNLINKED_ACCOUNT.title}
      text={UNLINKED_ACCOUNT.text}
      action={<Button onClick={onShowAll}>{UNLINKED_ACCOUNT.showAll}</Button>}
    />
  );
}

/**
 * What a person may choose of accounts: all, all of a bank, or one, below the names of their banks.
 * @param choice what is chosen, which is listed even if it is no longer linked
 */
export function accountOptions(accounts: readonly Account[], choice: string = EVERY_ACCOUNT) {
  const banks = [...Map.groupBy(accounts, ({ connection }) => connection)];
  const names = bankNamesOf(accounts);
  const groups = banks.map(([connection, members]) => {
    const group = names.get(connection) ?? '';
    const items = members.map((account) => ({ value: account.id, label: accountLabel(account) }));
    const all = { value: connection, label: TRANSACTIONS.everyAccountOf(group) };
    return { group, items: banks.length > 1 && members.length > 1 ? [all, ...items] : items };
  });
  const isLinked = chosenAccounts(accounts, choice).length > 0;
  const gone = isLinked ? [] : [{ value: choice, label: UNLINKED_ACCOUNT.choice }];
  if (accounts.length === 1) return [...gone, ...groups];
  return [{ value: EVERY_ACCOUNT, label: TRANSACTIONS.everyAccount }, ...gone, ...groups];
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
