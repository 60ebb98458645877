import { Button } from '@mantine/core';
import { type ReactNode, useDeferredValue, useMemo, useState } from 'react';
import type { Account, Category, Transaction } from '#client';
import { Empty } from '../../parts/empty.tsx';
import { LoadingRows } from '../../parts/loading-rows.tsx';
import { Problem } from '../../parts/problem.tsx';
import type { TransactionsSearch } from '../../routing/searches/transactions.ts';
import { listedText } from '../../text/listed.ts';
import { TRANSACTIONS } from '../../text/transactions.ts';
import { accountLabel } from './account-options.ts';
import { entriesOf } from './entries.ts';
import { matching, narrows, type RowFilter } from './matching.ts';
import { ReadProgress } from './read-progress.tsx';
import { TransactionDialog } from './transaction-dialog.tsx';
import classes from './transactions.module.css';
import type { TransactionRows } from './use-transaction-rows.ts';
import { VirtualEntries } from './virtual-entries.tsx';

interface TransactionListProps {
  readonly read: TransactionRows;
  readonly accounts: readonly Account[];
  readonly categories: readonly Category[];
  readonly search: TransactionsSearch;
  /** What can be done with all that is shown. */
  readonly action: ReactNode;
}

const EXPECTED = 10;

/** The transactions of a period, read further back as the person scrolls. */
export function TransactionList({ read, accounts, categories, search, action }: TransactionListProps) {
  const { q, kind, category, least, most, sort } = search;
  const [opened, setOpened] = useState<string | null>(null);
  // Typing stays fluent while many rows are looked through.
  const words = useDeferredValue(q);
  const filter = useMemo<RowFilter>(
    () => ({
      ...(words !== undefined && { q: words }),
      ...(kind !== undefined && { kind }),
      ...(category !== undefined && { category }),
      ...(least !== undefined && { least }),
      ...(most !== undefined && { most }),
    }),
    [words, kind, category, least, most],
  );
  const { rows: all, complete, busy, error, failed } = read;
  const rows = useMemo(() => matching(all ?? [], filter, categories), [all, filter, categories]);
  const entries = useMemo(() => entriesOf(rows, sort), [rows, sort]);
  const names = useMemo(() => new Map(categories.map(({ id, name }) => [id, name])), [categories]);
  const labels = useMemo(
    () => new Map(accounts.map((account) => [account.id, accountLabel(account)])),
    [accounts],
  );
  if (all === null) {
    return error === null ? (
      <>
        <div className={classes.summary}>{action}</div>
        <div className={classes.list}>
          <LoadingRows count={EXPECTED} />
        </div>
      </>
    ) : (
      <Problem error={error} again={read.again} />
    );
  }
  const narrowed = narrows(filter);
  const shown = all.find(({ id }) => id === opened);
  return (
    <>
      {failed.map((one) => (
        <Problem
          key={one.bank.connection}
          error={one.error}
          title={TRANSACTIONS.bankFailed(one.bank.name)}
          again={read.refresh}
        />
      ))}
      <div className={classes.summary}>
        <p className={classes.count} role="status">
          {listedText({ found: rows.length, read: all.length, narrowed, complete }, TRANSACTIONS.rows)}
          {sort === undefined || complete ? null : ` ${TRANSACTIONS.sortedSoFar}`}
        </p>
        {action}
      </div>
      {rows.length > 0 ? (
        <VirtualEntries
          entries={entries}
          nameOf={(id) => names.get(id) ?? ''}
          accountOf={accounts.length > 1 ? (id) => labels.get(id) ?? '' : null}
          dated={sort === 'largest' || sort === 'smallest'}
          onOpen={({ id }: Transaction) => setOpened(id)}
          // A filter that nothing matches would otherwise read years, at the bank's expense and the person's.
          onEnd={narrowed || sort !== undefined || complete || busy || error !== null ? null : read.readOlder}
        />
      ) : !complete && (busy || !narrowed) ? (
        <div className={classes.list}>
          <LoadingRows count={EXPECTED} />
        </div>
      ) : (
        <Empty
          title={narrowed ? TRANSACTIONS.unmatched : TRANSACTIONS.none}
          text={narrowed ? TRANSACTIONS.unmatchedText : TRANSACTIONS.noneText}
        />
      )}
      {error !== null ? (
        <Problem error={error} title={TRANSACTIONS.moreFailed} again={read.again} />
      ) : (
        <div className={classes.end}>
          {complete ? (
            <p>{all.length === 0 ? '' : TRANSACTIONS.end}</p>
          ) : busy ? (
            <ReadProgress counter={read.counter} />
          ) : (
            <Button variant="default" onClick={read.readWhole}>
              {TRANSACTIONS.readWhole}
            </Button>
          )}
        </div>
      )}
      {shown === undefined ? null : (
        <TransactionDialog
          row={shown}
          rows={all}
          account={accounts.find(({ id }) => id === shown.account)}
          categories={categories}
          onClose={() => setOpened(null)}
        />
      )}
    </>
  );
}
