import { VisuallyHidden } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import type { Account } from '#client';
import { holdings } from '../../api/accounts.ts';
import { Empty } from '../../parts/empty.tsx';
import { LoadingRows } from '../../parts/loading-rows.tsx';
import { Problem } from '../../parts/problem.tsx';
import type { HoldingSort } from '../../routing/searches/holdings.ts';
import { BROKERAGE, HOLDINGS } from '../../text/brokerage.ts';
import { CurrencyCard } from './currency-card.tsx';
import classes from './holdings.module.css';
import { byCurrency } from './positions.ts';

interface HoldingsReadProps {
  readonly accounts: readonly Account[];
  readonly sort: HoldingSort | undefined;
}

const EXPECTED = 6;

/** What the accounts hold now. One that cannot be read is named, and the others are shown. */
export function HoldingsRead({ accounts, sort }: HoldingsReadProps) {
  const reads = useQueries({ queries: accounts.map(({ id }) => holdings(id)) });
  const rows = reads.flatMap(({ data }) => data ?? []);
  const waiting = reads.some(({ data, error }) => data === undefined && error === null);
  const names = new Map(accounts.map(({ id, name }) => [id, name]));
  return (
    <>
      {reads.map(({ error, refetch }, at) => {
        const account = accounts[at];
        return error === null || account === undefined ? null : (
          <Problem
            key={account.id}
            error={error}
            title={BROKERAGE.accountFailed(account.name)}
            again={refetch}
          />
        );
      })}
      {waiting ? (
        <div className={classes.waiting}>
          <LoadingRows count={EXPECTED} />
        </div>
      ) : (
        <VisuallyHidden role="status">{HOLDINGS.count(rows.length)}</VisuallyHidden>
      )}
      {rows.length === 0 && !waiting && reads.some(({ data }) => data !== undefined) ? (
        <Empty title={HOLDINGS.none} text={HOLDINGS.noneText} />
      ) : null}
      {waiting
        ? null
        : byCurrency(rows, sort).map((position) => (
            <CurrencyCard
              key={position.currency}
              positions={position}
              accountOf={accounts.length > 1 ? (id) => names.get(id) ?? '' : null}
            />
          ))}
    </>
  );
}
