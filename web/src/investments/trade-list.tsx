import { Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Account, Trade } from '#client';
import type { TradeType } from '../../../src/vocabulary/holdings.ts';
import { exactMoneyText, quantityText } from '../format/decimals.ts';
import { dayHeading, dayText } from '../format/moments.ts';
import { Empty, LoadingRows, Problem } from '../parts/page-states.tsx';
import { RowsAside } from '../parts/rows-aside.tsx';
import { VirtualList } from '../parts/virtual-list.tsx';
import { BROKERAGE, TRADES } from '../text/investments.ts';
import { listedText } from '../text/transactions.ts';
import { asideOf, tradesOf } from './trade-pages.ts';
import classes from './trades.module.css';
import { type TradeWindow, trades } from './trades.ts';

interface TradeRowProps {
  readonly trade: Trade;
  /** What its account is called, where several are shown. */
  readonly account: string | null;
}

/** A decimal that is not zero. */
const SOME = /[1-9]/;

/** One trade: what was done with what on the left, its amount on the right. Figures have all their digits. */
function TradeRow({ trade, account }: TradeRowProps) {
  const { type, symbol, name, description, currency, quantity, settlement_date: settles } = trade;
  const { price_decimal: price, total_amount_decimal: total, fees_decimal: fees } = trade;
  const details = [description, settles === null ? null : TRADES.settles(dayText(settles)), account].filter(
    (part) => part !== null && part !== '',
  );
  const figures = [
    quantityAt(quantity, price, currency),
    fees === null || !SOME.test(fees) ? null : TRADES.fees(exactMoneyText(fees, currency)),
  ].filter((part) => part !== null);
  return (
    <div className={classes.row}>
      <div className={classes.words}>
        <p className={classes.name}>
          {[TRADES.types[type], name ?? symbol].filter((part) => part !== null).join(' · ')}
        </p>
        {details.length === 0 ? null : <p className={classes.detail}>{details.join(' · ')}</p>}
      </div>
      <div className={classes.figure}>
        <p className={total?.startsWith('-') === false ? `${classes.name} ${classes.income}` : classes.name}>
          {total === null ? TRADES.noAmount : exactMoneyText(total, currency, 'always')}
        </p>
        {figures.length === 0 ? null : <p className={classes.detail}>{figures.join(' · ')}</p>}
      </div>
    </div>
  );
}

function quantityAt(quantity: string | null, price: string | null, currency: string): string | null {
  // Brokers write zeros where a dividend or a fee has no units.
  if (quantity === null || !SOME.test(quantity)) {
    return price === null || !SOME.test(price) ? null : exactMoneyText(price, currency);
  }
  const text = quantityText(quantity);
  return price === null ? text : TRADES.quantityAt(text, exactMoneyText(price, currency));
}

interface TradeListProps {
  readonly window: TradeWindow;
  readonly accounts: readonly Account[];
  readonly type: TradeType | undefined;
}

const EXPECTED = 8;
const ROW_PX = 64;
const HEADING_PX = 36;

/** The trades of a period, read further back as the person scrolls. */
export function TradeList({ window, accounts, type }: TradeListProps) {
  const list = useInfiniteQuery(trades(window));
  const { data, error, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = list;
  const all = useMemo(() => tradesOf(data?.pages ?? []), [data]);
  const entries = useMemo(
    () => tradeEntries(type === undefined ? all : all.filter((one) => one.type === type)),
    [all, type],
  );
  const names = useMemo(() => new Map(accounts.map(({ id, name }) => [id, name])), [accounts]);
  if (data === undefined) {
    return error === null ? (
      <div className={classes.waiting}>
        <LoadingRows count={EXPECTED} />
      </div>
    ) : (
      <Problem error={error} again={list.refetch} />
    );
  }
  const failed = data.pages.flat().filter((page) => page.error !== null);
  const found = entries.filter((entry) => entry.kind === 'row').length;
  const narrowed = type !== undefined;
  const isRow = (at: number) => entries[at]?.kind === 'row';
  return (
    <>
      {failed.map((page) => (
        <Problem
          key={page.account}
          error={page.error}
          title={BROKERAGE.accountFailed(names.get(page.account) ?? '')}
          again={list.refetch}
        />
      ))}
      <RowsAside accounts={accounts.map(({ id, name }) => ({ name, rows: asideOf(data.pages, id) }))} />
      <p className={classes.count} role="status">
        {listedText({ found, read: all.length, narrowed, complete: !hasNextPage }, TRADES.rows)}
      </p>
      {found === 0 ? (
        <Empty
          title={narrowed ? TRADES.unmatched : TRADES.none}
          text={narrowed ? TRADES.unmatchedText : TRADES.noneText}
        />
      ) : (
        <VirtualList
          count={entries.length}
          sizeOf={(at) => (isRow(at) ? ROW_PX : HEADING_PX)}
          keyOf={(at) => entries[at]?.key ?? String(at)}
          isRow={isRow}
          onEnd={
            narrowed || !hasNextPage || isFetchingNextPage || isFetchNextPageError ? null : fetchNextPage
          }
          draw={(at) => {
            const entry = entries[at];
            if (entry === undefined) return null;
            return entry.kind === 'day' ? (
              <h2 className={classes.heading}>{dayHeading(entry.day)}</h2>
            ) : (
              <TradeRow
                trade={entry.row}
                account={accounts.length > 1 ? (names.get(entry.row.account) ?? null) : null}
              />
            );
          }}
        />
      )}
      {isFetchNextPageError ? (
        <Problem error={error} title={TRADES.moreFailed} again={fetchNextPage} />
      ) : (
        <div className={classes.end}>
          {hasNextPage && (narrowed || found === 0) ? (
            <Button variant="default" loading={isFetchingNextPage} onClick={() => fetchNextPage()}>
              {TRADES.older}
            </Button>
          ) : (
            <p>{hasNextPage ? TRADES.loading : found === 0 ? '' : TRADES.end}</p>
          )}
        </div>
      )}
    </>
  );
}

/** What the list shows from top to bottom: days, and the trades of each. */
type TradeEntry =
  | { readonly kind: 'day'; readonly key: string; readonly day: string }
  | { readonly kind: 'row'; readonly key: string; readonly row: Trade };

/** The entries of trades that come newest first. */
function tradeEntries(trades: readonly Trade[]): readonly TradeEntry[] {
  const entries: TradeEntry[] = [];
  let day: string | null = null;
  for (const row of trades) {
    if (row.trade_date !== day) {
      entries.push({ kind: 'day', key: `day ${row.trade_date}`, day: row.trade_date });
      day = row.trade_date;
    }
    entries.push({ kind: 'row', key: row.id, row });
  }
  return entries;
}
