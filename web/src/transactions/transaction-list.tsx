import { Button } from '@mantine/core';
import { type ReactNode, useDeferredValue, useMemo, useState } from 'react';
import type { Account, Category, Transaction } from '#client';
import { dayHeading, dayText } from '../format/moments.ts';
import { moneyText } from '../format/money.ts';
import { Empty, LoadingRows, Problem } from '../parts/page-states.tsx';
import { type RowFocus, VirtualList } from '../parts/virtual-list.tsx';
import { listedText, TRANSACTIONS } from '../text/transactions.ts';
import { accountLabel } from './chosen-accounts.tsx';
import { type Entry, entriesOf } from './entries.ts';
import { matching, narrows, type RowFilter } from './matching.ts';
import { ReadProgress } from './read-progress.tsx';
import type { TransactionsSearch } from './search.ts';
import { TransactionDialog } from './transaction-dialog.tsx';
import classes from './transactions.module.css';
import type { TransactionRows } from './use-transaction-rows.ts';

interface VirtualEntriesProps {
  readonly entries: readonly Entry[];
  readonly nameOf: (category: string) => string;
  readonly accountOf: ((account: string) => string) | null;
  readonly dated: boolean;
  readonly onOpen: (row: Transaction) => void;
  readonly onEnd: (() => unknown) | null;
}

const ROW_PX = 56;
const HEADING_PX = 36;

/** Rows of any number below their headings. */
function VirtualEntries({ entries, nameOf, accountOf, dated, onOpen, onEnd }: VirtualEntriesProps) {
  const isRow = (at: number) => entries[at]?.kind === 'row';
  return (
    <VirtualList
      count={entries.length}
      sizeOf={(at) => (isRow(at) ? ROW_PX : HEADING_PX)}
      keyOf={(at) => keyOf(entries[at], at)}
      isRow={isRow}
      onEnd={onEnd}
      opens
      draw={(at, focus) => {
        const entry = entries[at];
        if (entry === undefined) return null;
        if (entry.kind !== 'row') return <HeadingEntry entry={entry} />;
        const { row } = entry;
        return (
          <RowEntry
            row={row}
            nameOf={nameOf}
            accountOf={accountOf}
            dated={dated}
            focus={focus}
            onOpen={() => onOpen(row)}
          />
        );
      }}
    />
  );
}

function keyOf(entry: Entry | undefined, at: number): string {
  if (entry?.kind === 'row') return entry.row.id;
  return entry?.kind === 'day' ? `day ${entry.day ?? at}` : `heading ${at}`;
}

/** The day of the rows below it, or that they are pending. */
function HeadingEntry({ entry }: { readonly entry: Exclude<Entry, { readonly kind: 'row' }> }) {
  if (entry.kind === 'pending') {
    return (
      <h2 className={classes.heading}>
        {TRANSACTIONS.pending}
        <span className={classes.aside}>{TRANSACTIONS.pendingAside}</span>
      </h2>
    );
  }
  return (
    <h2 className={classes.heading}>{entry.day === null ? TRANSACTIONS.noDate : dayHeading(entry.day)}</h2>
  );
}

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

interface RowEntryProps {
  readonly row: Transaction;
  readonly nameOf: (category: string) => string;
  /** What the account is called, where rows of several are shown. */
  readonly accountOf: ((account: string) => string) | null;
  /** Without headings, each row shows its day; pending rows always do, because their heading has none. */
  readonly dated: boolean;
  readonly focus: RowFocus;
  readonly onOpen: () => void;
}

/** One transaction: merchant and description on the left, amount on the right. */
function RowEntry({ row, nameOf, accountOf, dated, focus, onOpen }: RowEntryProps) {
  const { description, merchant_name: merchant, reference, category, amount, status, date } = row;
  const details = [
    dated || status === 'pending' ? (date === null ? TRANSACTIONS.noDate : dayText(date)) : null,
    dated && status === 'pending' ? TRANSACTIONS.pending : null,
    merchant === null ? null : description,
    category === null ? null : nameOf(category),
    reference,
    accountOf?.(row.account) ?? null,
  ].filter((part) => part !== null && part !== '');
  return (
    <button
      type="button"
      className={status === 'pending' ? `${classes.row} ${classes.provisional}` : classes.row}
      {...focus}
      onClick={onOpen}
    >
      <span className={classes.words}>
        <span className={classes.name}>{merchant ?? description}</span>
        {details.length === 0 ? null : <span className={classes.detail}>{details.join(' · ')}</span>}
      </span>
      <span className={amount.amount > 0 ? `${classes.amount} ${classes.income}` : classes.amount}>
        {moneyText(BigInt(amount.amount), amount.currency, 'always')}
      </span>
    </button>
  );
}
