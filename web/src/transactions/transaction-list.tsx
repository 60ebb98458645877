import { Button } from '@mantine/core';
import { type ReactNode, useCallback, useEffect, useMemo, useState } from 'react';
import type { Account, Category, Transaction } from '#client';
import type { CountedSpending } from '../accounts/spending-rules.ts';
import type { Days } from '../api/held-rows.ts';
import { useMay } from '../api/me.ts';
import { accountLabel } from '../format/account-names.ts';
import { dayText } from '../format/moments.ts';
import { moneyText } from '../format/money.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Empty, LoadingRows, Problem } from '../parts/page-states.tsx';
import { RowsAside } from '../parts/rows-aside.tsx';
import { withdrawNext } from '../parts/undo.tsx';
import { CATEGORY_CHANGE } from '../text/category-change.ts';
import { listedText, SELECTION, TRANSACTIONS } from '../text/transactions.ts';
import { ChangeCategory, type RuleStart } from './change-category.tsx';
import { nameOf } from './like-this.ts';
import type { RowFilter } from './matching.ts';
import { ReadProgress } from './read-progress.tsx';
import type { TransactionsSearch } from './search.ts';
import { SelectionBar, useSelection } from './selection.tsx';
import { TransactionDialog } from './transaction-dialog.tsx';
import classes from './transactions.module.css';
import { useListing } from './use-listing.ts';
import type { TransactionRows } from './use-transaction-rows.ts';
import { VirtualEntries } from './virtual-entries.tsx';

/** The banks that did not answer. */
export function FailedBanks({ read }: { readonly read: Pick<TransactionRows, 'failed' | 'refresh'> }) {
  return read.failed.map(({ bank, error }) => (
    <Problem
      key={bank.connection}
      error={error}
      title={TRANSACTIONS.bankFailed(bank.name)}
      again={read.refresh}
    />
  ));
}

interface AsideNotesProps {
  readonly read: Pick<TransactionRows, 'aside'>;
  readonly accounts: readonly Account[];
  readonly of?: 'page' | 'file';
}

/** The rows that could not be read. */
export function AsideNotes({ read, accounts, of = 'page' }: AsideNotesProps) {
  const lacking = accounts.map((account) => ({
    name: accountLabel(account),
    rows: read.aside.get(account.id) ?? [],
  }));
  return <RowsAside accounts={lacking} of={of} />;
}

interface TransactionListProps {
  readonly read: TransactionRows;
  readonly accounts: readonly Account[];
  readonly categories: readonly Category[];
  /** What the search for spending finds; not given where none is offered. */
  readonly spending?: CountedSpending;
  readonly search: TransactionsSearch;
  /** Those of the rows that are listed; all of them by default. */
  readonly only?: readonly Transaction[];
  /** Which days were searched, shown where nothing matches; not given where the page says it. */
  readonly days?: Days;
  /** What can be done with all that is shown. */
  readonly action: ReactNode;
}

const EXPECTED = 10;
const NONE: readonly Transaction[] = [];

/** The transactions of a period, read further back as the person scrolls. */
export function TransactionList(props: TransactionListProps) {
  const { read, accounts, categories, spending, search, only, days, action } = props;
  const { q, kind, category, least, most, sort } = search;
  const [opened, setOpened] = useState<string | null>(null);
  const [wantsPending, setWantsPending] = useState(false);
  // A phone has no room for boxes until a person selects.
  const [isSelecting, setSelecting] = useState(false);
  const [changing, setChanging] = useState<Changing | null>(null);
  useEffect(() => withdrawNext, []);
  const filter = useMemo<RowFilter>(
    () => ({
      ...(q !== undefined && { q }),
      ...(kind !== undefined && { kind }),
      ...(category !== undefined && { category }),
      ...(least !== undefined && { least }),
      ...(most !== undefined && { most }),
    }),
    [q, kind, category, least, most],
  );
  const { rows: all, complete, busy, error } = read;
  const listing = useListing({
    rows: only ?? all ?? NONE,
    filter,
    categories,
    spending,
    sort,
    wantsPending,
  });
  const selection = useSelection(listing?.listed ?? NONE);
  const maySelect = useMay('categories:write');
  const names = useMemo(() => new Map(categories.map(({ id, name }) => [id, name])), [categories]);
  const labels = useMemo(
    () => new Map(accounts.map((account) => [account.id, accountLabel(account)])),
    [accounts],
  );
  const nameById = useCallback((id: string) => names.get(id) ?? '', [names]);
  const accountById = useCallback((id: string) => labels.get(id) ?? '', [labels]);
  const open = useCallback(({ id }: Transaction) => setOpened(id), []);
  const turnPending = useCallback(() => setWantsPending((wants) => !wants), []);
  if (all === null || listing === null) {
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
  const { entries, listed, found, sums, isFound } = listing;
  const shown = opened === null ? undefined : all.find(({ id }) => id === opened);
  return (
    <>
      <FailedBanks read={read} />
      <AsideNotes read={read} accounts={accounts} />
      <div className={classes.summary}>
        <div className={classes.count}>
          <p role="status">
            {listedText({ found, read: listing.read, narrowed: isFound, complete }, TRANSACTIONS.rows)}
            {sort === undefined || complete ? null : ` ${TRANSACTIONS.sortedSoFar}`}
          </p>
          {isFound && found > 0 ? (
            <p>
              {TRANSACTIONS.total(
                [...sums].map(([currency, sum]) => moneyText(sum, currency, 'always')).join(' · '),
              )}
            </p>
          ) : null}
        </div>
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
      {found > 0 ? (
        <div className={isSelecting ? classes.selecting : undefined}>
          <VirtualEntries
            entries={entries}
            nameOf={nameById}
            accountOf={accounts.length > 1 ? accountById : null}
            dated={listing.sort === 'largest' || listing.sort === 'smallest'}
            selection={maySelect ? selection : null}
            isPendingOpen={listing.isPendingOpen}
            onPending={isFound ? null : turnPending}
            onOpen={open}
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
          text={
            !isFound
              ? TRANSACTIONS.noneText
              : days === undefined
                ? TRANSACTIONS.unmatchedText
                : `${TRANSACTIONS.searched(dayText(days.from), dayText(days.to))} ${TRANSACTIONS.unmatchedText}`
          }
        />
      )}
      {error !== null ? (
        <Problem error={error} title={TRANSACTIONS.moreFailed} again={read.again} />
      ) : (
        <div className={classes.end}>
          {complete ? (
            <p>{listing.read === 0 || read.short.length > 0 ? '' : TRANSACTIONS.end}</p>
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
