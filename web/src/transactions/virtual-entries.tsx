import { Button } from '@mantine/core';
import { type KeyboardEvent, memo, useCallback } from 'react';
import type { Transaction } from '#client';
import { dayHeading, dayText } from '../format/moments.ts';
import { moneyText, totals } from '../format/money.ts';
import { listKeysOn } from '../parts/list-keys.ts';
import { type RowFocus, VirtualList } from '../parts/virtual-list.tsx';
import { SELECTION, TRANSACTIONS } from '../text/transactions.ts';
import type { Entry } from './entries.ts';
import type { Selection } from './selection.tsx';
import classes from './transactions.module.css';

interface VirtualEntriesProps extends Pick<HeadingEntryProps, 'isPendingOpen' | 'onPending'> {
  readonly entries: readonly Entry[];
  readonly nameOf: (category: string) => string;
  readonly accountOf: ((account: string) => string) | null;
  readonly dated: boolean;
  /** Null for people who may change nothing. */
  readonly selection: Selection | null;
  readonly onOpen: (row: Transaction) => void;
  readonly onEnd: (() => unknown) | null;
}

const ROW_PX = 56;
const HEADING_PX = 36;

/** Rows of any number below their headings. It is drawn again only if something about them changes. */
export const VirtualEntries = memo(function VirtualEntries(props: VirtualEntriesProps) {
  const { entries, nameOf, accountOf, dated, selection, isPendingOpen, onPending, onOpen, onEnd } = props;
  const isRow = useCallback((at: number) => entries[at]?.kind === 'row', [entries]);
  const draw = useCallback(
    (at: number, focus: RowFocus) => {
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
          selection={selection}
          focus={focus}
          onOpen={() => onOpen(row)}
        />
      );
    },
    [entries, nameOf, accountOf, dated, selection, isPendingOpen, onPending, onOpen],
  );
  return (
    <VirtualList
      count={entries.length}
      sizeOf={useCallback((at: number) => (isRow(at) ? ROW_PX : HEADING_PX), [isRow])}
      keyOf={useCallback((at: number) => keyOf(entries[at], at), [entries])}
      isRow={isRow}
      onEnd={onEnd}
      opens
      draw={draw}
    />
  );
});

function keyOf(entry: Entry | undefined, at: number): string {
  if (entry?.kind === 'row') return entry.row.id;
  return entry?.kind === 'day' ? `day ${entry.day ?? at}` : `heading ${at}`;
}

interface HeadingEntryProps {
  readonly entry: Exclude<Entry, { readonly kind: 'row' }>;
  /** Whether pending rows are listed below their heading. */
  readonly isPendingOpen: boolean;
  /** Opens or closes them; null if a filter shows them anyway. */
  readonly onPending: (() => void) | null;
}

/** The day that the rows below it are of, or that they are pending, and what those come to. */
function HeadingEntry({ entry, isPendingOpen, onPending }: HeadingEntryProps) {
  if (entry.kind === 'day') {
    return (
      <h2 className={classes.heading}>{entry.day === null ? TRANSACTIONS.noDate : dayHeading(entry.day)}</h2>
    );
  }
  if (entry.kind === 'currency')
    return <h2 className={classes.heading}>{TRANSACTIONS.amountsIn(entry.currency.toUpperCase())}</h2>;
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

interface RowEntryProps {
  readonly row: Transaction;
  readonly nameOf: (category: string) => string;
  /** What the account is called, where rows of several are shown. */
  readonly accountOf: ((account: string) => string) | null;
  /** Without headings, each row shows its day; pending rows always do, because their heading has none. */
  readonly dated: boolean;
  readonly selection: Selection | null;
  readonly focus: RowFocus;
  readonly onOpen: () => void;
}

/** One transaction as a line of a table: its day where no heading says it, who, category, account and amount. */
function RowEntry({ row, nameOf, accountOf, dated, selection, focus, onOpen }: RowEntryProps) {
  const { description, merchant_name: merchant, reference, category, amount, status, date } = row;
  const isPending = status === 'pending';
  const details = [
    dated && isPending ? TRANSACTIONS.pending : null,
    merchant === null ? null : description,
    reference,
  ].filter((part) => part !== null && part !== '');
  const categoryName = category === null ? '' : nameOf(category);
  const select = (event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, shiftKey } = event;
    if (selection === null || key.toLowerCase() !== 'x' || ctrlKey || metaKey || !listKeysOn()) return;
    // The keys of lists would tick the row's box without the range that Shift asks for.
    event.preventDefault();
    selection.toggle(row.id, shiftKey);
  };
  const isSelected = selection?.has(row.id) === true;
  return (
    <div className={isSelected ? `${classes.line} ${classes.lineSelected}` : classes.line}>
      {selection === null ? null : (
        <label className={classes.box}>
          <input
            type="checkbox"
            aria-label={SELECTION.one(merchant ?? description)}
            {...focus}
            checked={isSelected}
            onKeyDown={select}
            onChange={({ nativeEvent: event }) =>
              selection.toggle(row.id, event instanceof MouseEvent && event.shiftKey)
            }
          />
        </label>
      )}
      <button
        type="button"
        className={isPending ? `${classes.row} ${classes.provisional}` : classes.row}
        {...focus}
        aria-keyshortcuts={selection === null ? undefined : 'x'}
        onKeyDown={select}
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
    </div>
  );
}
