import { Button } from '@mantine/core';
import { type ReactNode, useDeferredValue, useMemo, useState } from 'react';
import type { Account, Category, Transaction } from '#client';
import { dayHeading, dayText } from '../format/moments.ts';
import { moneyText, totals } from '../format/money.ts';
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

interface VirtualEntriesProps extends Pick<HeadingEntryProps, 'isPendingOpen' | 'onPending'> {
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
function VirtualEntries(props: VirtualEntriesProps) {
  const { entries, nameOf, accountOf, dated, isPendingOpen, onPending, onOpen, onEnd } = props;
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
        if (entry.kind !== 'row')
          return <HeadingEntry entry={entry} isPendingOpen={isPendingOpen} onPending={onPending} />;
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

interface HeadingEntryProps {
  readonly entry: Exclude<Entry, { readonly kind: 'row' }>;
  /** Whether pending rows are listed below their heading. */
  readonly isPendingOpen: boolean;
  /** Opens or closes them; null where a filter shows them anyway. */
  readonly onPending: (() => void) | null;
}

/** The day that the rows below it are of, or that they are pending, and what those come to. */
function HeadingEntry({ entry, isPendingOpen, onPending }: HeadingEntryProps) {
  if (entry.kind === 'day') {
    return (
      <h2 className={classes.heading}>{entry.day === null ? TRANSACTIONS.noDate : dayHeading(entry.day)}</h2>
    );
  }
  const sums = [...totals(entry.rows.map(({ amount }) => amount))];
  return (
    <div className={classes.heading}>
      <h2 className={classes.headingName}>
        {TRANSACTIONS.pendingRows(entry.rows.length)}
        <span className={classes.aside}>
          {sums.map(([currency, sum]) => moneyText(sum, currency, 'always')).join(' · ')}
        </span>
      </h2>
      <span className={classes.aside}>{TRANSACTIONS.pendingAside}</span>
      {onPending === null ? null : (
        <Button size="compact-xs" variant="subtle" aria-expanded={isPendingOpen} onClick={onPending}>
          {isPendingOpen ? TRANSACTIONS.hidePending : TRANSACTIONS.showPending}
        </Button>
      )}
    </div>
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
  const [wantsPending, setWantsPending] = useState(false);
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
        {action}
      </div>
      {rows.length > 0 ? (
        <VirtualEntries
          entries={entries}
          nameOf={(id) => names.get(id) ?? ''}
          accountOf={accounts.length > 1 ? (id) => labels.get(id) ?? '' : null}
          dated={sort === 'largest' || sort === 'smallest'}
          isPendingOpen={isPendingOpen}
          onPending={isFound ? null : () => setWantsPending(!wantsPending)}
          onOpen={({ id }: Transaction) => setOpened(id)}
          // A filter that nothing matches would otherwise read years, at the bank's expense and the person's.
          onEnd={isFound || sort !== undefined || complete || busy || error !== null ? null : read.readOlder}
        />
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

/** One transaction as a line of a table: its day where no heading says it, who, category, account and amount. */
function RowEntry({ row, nameOf, accountOf, dated, focus, onOpen }: RowEntryProps) {
  const { description, merchant_name: merchant, reference, category, amount, status, date } = row;
  const isPending = status === 'pending';
  const details = [
    dated && isPending ? TRANSACTIONS.pending : null,
    merchant === null ? null : description,
    reference,
  ].filter((part) => part !== null && part !== '');
  const categoryName = category === null ? '' : nameOf(category);
  return (
    <button
      type="button"
      className={isPending ? `${classes.row} ${classes.provisional}` : classes.row}
      {...focus}
      onClick={onOpen}
    >
      {dated || isPending ? (
        <span className={classes.day}>{date === null ? TRANSACTIONS.noDate : dayText(date)}</span>
      ) : null}
      <span className={classes.words}>
        <span className={classes.name}>{merchant ?? description}</span>
        {details.length === 0 ? null : <span className={classes.detail}>{details.join(' · ')}</span>}
      </span>
      <span className={classes.category}>
        {categoryName === '' ? null : <span className={classes.chip}>{categoryName}</span>}
      </span>
      {accountOf === null ? null : <span className={classes.accountName}>{accountOf(row.account)}</span>}
      <span className={amount.amount > 0 ? `${classes.amount} ${classes.income}` : classes.amount}>
        {moneyText(BigInt(amount.amount), amount.currency, 'always')}
      </span>
    </button>
  );
}
