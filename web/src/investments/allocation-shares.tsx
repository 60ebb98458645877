import type { Holding } from '#client';
import { ASSET_TYPES, type AssetType } from '../../../src/vocabulary/holdings.ts';
import { namesInPage } from '../api/page-names.ts';
import { ratesIn, rateText } from '../format/exchange.ts';
import { moneyText } from '../format/money.ts';
import { percentText } from '../format/numbers.ts';
import { ChartTables } from '../parts/chart-table.tsx';
import { partOf, ShareList } from '../parts/share-list.tsx';
import { ALLOCATION, HOLDINGS } from '../text/investments.ts';
import { type Allocation, type AllocationBy, allocationsOf } from './allocation.ts';

interface AllocationSharesProps {
  readonly holdings: readonly Holding[];
  readonly by: AllocationBy;
  readonly accountName: (id: string) => string;
  /** How many are listed before the rest is one entry. */
  readonly most: number;
  /** For notes below, as the card has them. */
  readonly noteClass: string;
}

const OTHERS = ' others';

/** What the value of holdings is spread over: a list with bars, and all of it as a table. */
export function AllocationShares({ holdings, by, accountName, most, noteClass }: AllocationSharesProps) {
  const allocations = allocationsOf(holdings, by, ratesIn(namesInPage('exchange-rates')));
  const nameOf = (key: string) => {
    if (by === 'account') return accountName(key);
    if (by === 'currency') return key.toUpperCase();
    if (by === 'type') return ALLOCATION.types[typeOf(key)];
    return key === '' ? HOLDINGS.unnamed : key;
  };
  const label = ({ currency }: Allocation) =>
    ALLOCATION.label(ALLOCATION.choices[by], currency.toUpperCase());
  const rates = [...new Set(allocations.flatMap((one) => one.rates.map(rateText)))];
  if (allocations.length === 0) return null;
  return (
    <>
      {allocations.map((one) => (
        <div key={one.currency}>
          {allocations.length < 2 ? null : (
            <p className={noteClass}>{ALLOCATION.inCurrency(one.currency.toUpperCase())}</p>
          )}
          <ShareList
            label={label(one)}
            shares={shortened(one, most).map(({ key, value }) => ({
              key,
              name: key === OTHERS ? ALLOCATION.others(one.shares.length - most + 1) : nameOf(key),
              value,
            }))}
            text={(value) => moneyText(value, one.currency)}
            whole={one.total}
          />
        </div>
      ))}
      <ChartTables
        tables={allocations.map((one) => ({
          caption: label(one),
          heads: [ALLOCATION.choices[by], ALLOCATION.value, ALLOCATION.share],
          rows: one.shares.map(({ key, value }) => ({
            key,
            name: nameOf(key),
            values: [
              moneyText(value, one.currency),
              one.total > 0n ? percentText(partOf(value, one.total)) : HOLDINGS.unknown,
            ],
          })),
        }))}
      />
      {rates.length === 0 ? null : <p className={noteClass}>{ALLOCATION.rates(rates)}</p>}
      {allocations.length < 2 ? null : <p className={noteClass}>{ALLOCATION.apart}</p>}
    </>
  );
}

/** The type of asset that a share is for. */
function typeOf(key: string): AssetType | 'unknown' {
  return ASSET_TYPES.find((one) => one === key) ?? 'unknown';
}

/** The largest, and what the others come to. */
function shortened({ shares }: Allocation, most: number): Allocation['shares'] {
  if (shares.length <= most) return shares;
  const rest = shares.slice(most - 1);
  return [
    ...shares.slice(0, most - 1),
    { key: OTHERS, value: rest.reduce((sum, { value }) => sum + value, 0n) },
  ];
}
