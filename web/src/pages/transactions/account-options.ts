import type { Account } from '#client';
import { TRANSACTIONS } from '../../text/transactions.ts';

/** Stands for every account in a choice of accounts. */
export const EVERY_ACCOUNT = '';

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
