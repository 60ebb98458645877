import { Button } from '@mantine/core';
import { type ReactNode, useDeferredValue, useEffect, useMemo, useState } from 'react';
import type { Account, Category, Transaction } from '#client';
import { useMay } from '../api/me.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Empty, LoadingRows, Problem } from '../parts/page-states.tsx';
import { withdrawNext } from '../parts/undo.tsx';
import { CATEGORY_CHANGE } from '../text/category-change.ts';
import { listedText, SELECTION, TRANSACTIONS } from '../text/transactions.ts';
import { ChangeCategory, type RuleStart } from './change-category.tsx';
import { accountLabel } from './chosen-accounts.tsx';
import { entriesOf } from './entries.ts';
import { nameOf } from './like-this.ts';
import { matching, narrows, type RowFilter } from './matching.ts';
import { ReadProgress } from './read-progress.tsx';
import type { TransactionsSearch } from './search.ts';
import { SelectionBar, useSelection } from './selection.tsx';
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
  const [wantsPending, setWantsPending] = useState(false);
  // A phone has no room for boxes until a person selects.
  const [isSelecting, setSelecting] = useState(false);
  const [changing, setChanging] = useState<Changing | null>(null);
  useEffect(() => withdrawNext, []);
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
  // A filter may match pending rows, so they are listed with it.
  const isFound = narrows(filter);
  const isPendingOpen = wantsPending || isFound;
  const entries = useMemo(() => entriesOf(rows, sort, isPendingOpen), [rows, sort, isPendingOpen]);
  const listed = useMemo(
    () => entries.flatMap((entry) => (entry.kind === 'row' ? [entry.row] : [])),
    [entries],
  );
  const selection = useSelection(listed);
  const maySelect = useMay('categories:write');
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
          {listedText(
            { found: rows.length, read: all.length, narrowed: isFound, complete },
            TRANSACTIONS.rows,
          )}
          {sort === undefined || complete ? null : ` ${TRANSACTIONS.sortedSoFar}`}
        </p>
        {maySelect ? (
          <Button
            className={classes.select ?? ''}
            variant="default"
            aria-pressed={isSelecting}
            onClick={() => {
              setSelecting(!isSelecting);
              selection.clear();
            }}
          >
            {isSelecting ? SELECTION.stop : SELECTION.start}
          </Button>
        ) : null}
        {action}
      </div>
      {rows.length > 0 ? (
        <div className={isSelecting ? classes.selecting : undefined}>
          <VirtualEntries
            entries={entries}
            nameOf={(id) => names.get(id) ?? ''}
            accountOf={accounts.length > 1 ? (id) => labels.get(id) ?? '' : null}
            dated={sort === 'largest' || sort === 'smallest'}
            selection={maySelect ? selection : null}
            isPendingOpen={isPendingOpen}
            onPending={isFound ? null : () => setWantsPending(!wantsPending)}
            onOpen={({ id }: Transaction) => setOpened(id)}
            // A filter that nothing matches would otherwise read years, at the bank's expense and the person's.
            onEnd={
              isFound || sort !== undefined || complete || busy || error !== null ? null : read.readOlder
            }
          />
        </div>
      ) : !complete && (busy || !isFound) ? (
        <div className={classes.list}>
          <LoadingRows count={EXPECTED} />
        </div>
      ) : (
        <Empty
          title={isFound ? TRANSACTIONS.unmatched : TRANSACTIONS.none}
          text={isFound ? TRANSACTIONS.unmatchedText : TRANSACTIONS.noneText}
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
      <SelectionBar
        selection={selection}
        shown={listed.length}
        complete={complete}
        onChange={() => setChanging({ chosen: selection.chosen })}
      />
      {shown === undefined ? null : (
        <TransactionDialog
          row={shown}
          rows={all}
          accounts={accounts}
          categories={categories}
          onRule={(start) => setChanging({ chosen: [start.row], start })}
          onClose={() => setOpened(null)}
        />
      )}
      {changing === null ? null : (
        <Dialog title={titleOf(changing)} onClose={() => setChanging(null)}>
          <ChangeCategory
            {...changing}
            rows={all}
            accounts={accounts}
            categories={categories}
            onRule={(start) => setChanging({ chosen: [start.row], start })}
            onChanged={() => {
              setChanging(null);
              selection.clear();
            }}
            onClose={() => setChanging(null)}
          />
        </Dialog>
      )}
    </>
  );
}

/** The rows whose category is being changed, as they were selected, or the rule that was offered afterwards. */
interface Changing {
  readonly chosen: readonly Transaction[];
  readonly start?: RuleStart;
}

function titleOf({ chosen, start }: Changing): string {
  return start === undefined ? CATEGORY_CHANGE.titleOf(chosen.length) : nameOf(start.row);
}
