import { Skeleton } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import type { Balance } from '#client';
import { APP_PATHS } from '../../../src/vocabulary/page-paths.ts';
import { isInTotals, type LinkedAccount } from '../accounts/linked-accounts.ts';
import { balances, isUnverified } from '../api/accounts.ts';
import { connections } from '../api/connections.ts';
import type { ReadBalance } from '../api/held-balances.ts';
import { accountNames, bankNames } from '../format/account-names.ts';
import { agoText } from '../format/moments.ts';
import { moneyText, totals } from '../format/money.ts';
import { Card } from '../parts/card.tsx';
import { Monogram } from '../parts/icon.tsx';
import { Problem } from '../parts/page-states.tsx';
import { ReadAgain } from '../parts/read-again.tsx';
import rows from '../parts/rows.module.css';
import { CONNECTIONS } from '../text/connections.ts';
import { HOME } from '../text/home.ts';
import classes from './home.module.css';

/** The balance of every bank account, and the total in each currency of those that count. */
export function Balances({ linked }: { readonly linked: readonly LinkedAccount[] }) {
  const asked = balances(linked.map(({ account }) => account.id));
  const { data, error, refetch } = useQuery(asked);
  useNewQuestions(linked, data);
  if (error !== null && data === undefined) return <Problem error={error} again={refetch} />;
  const read = [...(data?.values() ?? [])];
  const unread = linked.filter(({ account }) => data?.get(account.id)?.freshness === 'unavailable');
  const banks = bankNames([...new Set(linked.map(({ connection }) => connection))]);
  const names = accountNames(linked.map(({ account }) => account));
  const out = new Set(linked.filter(({ account }) => !isInTotals(account)).map(({ account }) => account.id));
  return (
    <Card title={HOME.balances} aside={<Observed read={read} />}>
      <Totals read={data === undefined ? null : read.filter(({ account }) => !out.has(account))} />
      {unread.length === 0 || unread.length === linked.length ? null : (
        <p className={classes.lacks}>
          {HOME.lacks(unread.map(({ account }) => names.get(account.id) ?? account.name))}
        </p>
      )}
      <ul className={rows.rows}>
        {linked.map(({ account, connection }) => (
          <AccountRow
            key={account.id}
            account={account}
            connection={connection}
            name={names.get(account.id)}
            bank={banks.get(connection.id)}
          >
            <Figure balance={data?.get(account.id)} loading={data === undefined} />
          </AccountRow>
        ))}
      </ul>
      <ReadAgain read={read} onAgain={refetch} />
    </Card>
  );
}

/** A balance may be the first of its account whose sign no one knows: the account then says so when it is read again. */
function useNewQuestions(
  linked: readonly LinkedAccount[],
  read: ReadonlyMap<string, ReadBalance> | undefined,
): void {
  const queries = useQueryClient();
  const isNew = linked.some(
    ({ account }) => account.balance_sign === null && isUnverified(read?.get(account.id)),
  );
  useEffect(() => {
    if (isNew) queries.invalidateQueries({ queryKey: connections.queryKey, exact: true });
  }, [isNew, queries]);
}

function Totals({ read }: { readonly read: readonly Balance[] | null }) {
  if (read === null) {
    return (
      <div className={classes.totals}>
        <Skeleton height={44} width={180} />
      </div>
    );
  }
  const counted = read.filter((balance) => !isUnverified(balance));
  const amounts = counted.flatMap(({ current }) => (current === null ? [] : [current]));
  const accountsIn = (currency: string) => amounts.filter((one) => one.currency === currency).length;
  // The currency of most accounts is the one a person thinks in.
  const sums = [...totals(amounts)].toSorted(([a], [b]) => accountsIn(b) - accountsIn(a));
  if (sums.length === 0)
    return counted.length < read.length ? null : <p className={classes.totals}>{HOME.allUnavailable}</p>;
  return (
    <dl className={classes.totals}>
      {sums.map(([currency, sum]) => (
        <div key={currency}>
          <dt className={rows.detail}>{HOME.net(currency.toUpperCase())}</dt>
          <dd className={classes.total}>{moneyText(sum, currency)}</dd>
        </div>
      ))}
    </dl>
  );
}

function Figure({ balance, loading }: { readonly balance: Balance | undefined; readonly loading: boolean }) {
  if (loading) return <Skeleton height={16} width={96} />;
  const current = balance?.current;
  if (balance === undefined || current == null) {
    return (
      <p className={rows.detail}>
        {balance?.freshness === 'unavailable' ? HOME.unavailable : HOME.noBalance}
      </p>
    );
  }
  return (
    <div className={rows.figure}>
      <p className={classes.amount}>{moneyText(BigInt(current.amount), current.currency)}</p>
      {isUnverified(balance) ? <p className={rows.detail}>{HOME.sign.notCounted}</p> : null}
    </div>
  );
}

/** The oldest of what is shown. */
function Observed({ read }: { readonly read: readonly Balance[] }) {
  const [oldest] = read.flatMap(({ observed_at: at }) => (at === null ? [] : [at])).toSorted();
  return oldest === undefined ? null : HOME.observed(agoText(oldest));
}

interface AccountRowProps extends LinkedAccount {
  /** Where its name alone does not tell it from another. */
  readonly name?: string | undefined;
  /** The same of its bank. */
  readonly bank?: string | undefined;
  readonly children: ReactNode;
}

/** An account and its bank, with its balance. */
export function AccountRow({
  account,
  connection,
  name = account.name,
  bank = connection.institution.name,
  children,
}: AccountRowProps) {
  return (
    <li className={rows.row}>
      <Monogram name={connection.institution.name} />
      <div className={rows.words}>
        <p className={rows.name}>
          <Link to={APP_PATHS.account} params={{ id: account.id }} className={rows.link}>
            {name}
          </Link>
        </p>
        <p className={rows.detail}>
          <Link to={APP_PATHS.connection} params={{ id: connection.id }} className={rows.link}>
            {bank}
          </Link>
          {` · ${CONNECTIONS.type[account.type]}`}
          {account.duplicate_of === null ? null : ` · ${CONNECTIONS.countedOnce}`}
          {account.in_totals ? null : ` · ${CONNECTIONS.notInTotals}`}
        </p>
      </div>
      {children}
    </li>
  );
}
