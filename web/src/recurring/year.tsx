import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';
import type { Account, AccountRecord } from '#client';
import { APP_PATHS } from '../../../src/vocabulary/page-paths.ts';
import { histories } from '../accounts/histories.ts';
import type { Movement } from '../accounts/net-position.ts';
import type { SpendingRules } from '../accounts/spending-rules.ts';
import { useSpendingRules } from '../accounts/use-spending-rules.ts';
import { accountLabel } from '../format/account-names.ts';
import { dayAway } from '../format/days.ts';
import { dayIn } from '../format/moments.ts';
import { LinkButton } from '../parts/buttons.tsx';
import { OwnerOnly } from '../parts/owner-only.tsx';
import { Empty, LoadingRows, Problem } from '../parts/page-states.tsx';
import { RowsAside } from '../parts/rows-aside.tsx';
import { CONNECTIONS } from '../text/connections.ts';
import { RECURRING } from '../text/recurring.ts';
import { TRANSACTIONS } from '../text/transactions.ts';
import { WithAccounts } from '../transactions/chosen-accounts.tsx';
import classes from './recurring.module.css';

/** What the accounts of all banks did in the last 13 months. */
export interface Year {
  readonly accounts: readonly Account[];
  readonly movements: readonly Movement[];
  readonly rules: SpendingRules;
  readonly today: string;
  readonly nameOf: (account: string) => string;
}

/** A little more than a year, so that what comes once a year is there twice. */
const DAYS = 396;
const EXPECTED = 8;

/** The first day that is looked at. */
export function yearFrom(today: string): string {
  return dayAway(today, -DAYS);
}

/** Bank accounts that can be read; of one that is linked twice, the one that counts. */
export function bankAccounts(accounts: readonly Account[]): readonly Account[] {
  return accounts.filter(
    (one) => one.category === 'banking' && one.status === 'available' && one.duplicate_of === null,
  );
}

/** Renders what needs the rows of a year, and otherwise why they are not there. */
export function WithYear({ children }: { readonly children: (year: Year) => ReactNode }) {
  return (
    <WithAccounts expected={EXPECTED}>
      {(accounts, record) => <Read all={accounts} record={record} show={children} />}
    </WithAccounts>
  );
}

interface ReadProps {
  readonly all: readonly Account[];
  readonly record: AccountRecord;
  readonly show: (year: Year) => ReactNode;
}

function Read({ all, record, show }: ReadProps) {
  const accounts = useMemo(() => bankAccounts(all), [all]);
  const rules = useSpendingRules(accounts);
  const today = dayIn(record.timezone);
  const read = useQuery(histories(accounts.map(({ id }) => id).toSorted(), yearFrom(today)));
  const movements = useMemo(() => (read.data?.read ?? []).flatMap((one) => one.movements), [read.data]);
  if (accounts.length === 0) return <NoAccounts />;
  if (read.data === undefined) {
    return read.error === null ? <LoadingYear /> : <Problem error={read.error} again={read.refetch} />;
  }
  const { read: known, failure } = read.data;
  const names = new Map(accounts.map((account) => [account.id, accountLabel(account)]));
  const nameOf = (account: string) => names.get(account) ?? '';
  const missing = accounts.filter(({ id }) => !known.some(({ account }) => account === id));
  const short = known.filter(({ from }) => from > yearFrom(today)).map(({ account }) => nameOf(account));
  return (
    <>
      {failure === null ? null : (
        <Problem
          error={failure}
          title={RECURRING.missing(missing.map(({ id }) => nameOf(id)))}
          again={read.refetch}
        />
      )}
      <RowsAside accounts={known.map(({ account, aside }) => ({ name: nameOf(account), rows: aside }))} />
      {short.length === 0 ? null : <p className={classes.note}>{RECURRING.short(short)}</p>}
      {show({ accounts, movements, rules, today, nameOf })}
    </>
  );
}

/** Where what is found in the year will be. */
export function LoadingYear() {
  return (
    <div className={classes.waiting}>
      <LoadingRows count={EXPECTED} />
    </div>
  );
}

function NoAccounts() {
  return (
    <Empty
      title={TRANSACTIONS.noAccount}
      text={TRANSACTIONS.noAccountText}
      action={
        <OwnerOnly scope="connections:write" otherwise="sentence">
          <LinkButton to={APP_PATHS.newConnection}>{CONNECTIONS.link}</LinkButton>
        </OwnerOnly>
      }
    />
  );
}
