import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Account, AccountRecord } from '#client';
import { accounts } from '../api/accounts.ts';
import { me } from '../api/me.ts';
import { LoadingRows, Problem } from './page-states.tsx';

interface WithAccountsProps {
  /** How many rows the page is likely to have. */
  readonly expected: number;
  readonly children: (accounts: readonly Account[], record: AccountRecord) => ReactNode;
}

/** What needs the accounts and the account record, once both are there. */
export function WithAccounts({ expected, children }: WithAccountsProps) {
  const listed = useQuery(accounts);
  const record = useQuery(me);
  if (listed.data !== undefined && record.data !== undefined) return children(listed.data, record.data);
  const error = listed.error ?? record.error;
  if (error === null) return <LoadingRows count={expected} />;
  return <Problem error={error} again={() => Promise.all([listed.refetch(), record.refetch()])} />;
}
