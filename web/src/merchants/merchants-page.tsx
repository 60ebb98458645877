import { TextInput } from '@mantine/core';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useCallback, useDeferredValue, useMemo } from 'react';
import { APP_PATHS } from '../../../src/vocabulary/page-paths.ts';
import { monthsUntil } from '../format/days.ts';
import { dayText } from '../format/moments.ts';
import { moneyText } from '../format/money.ts';
import { Choices } from '../parts/fields.tsx';
import { Page } from '../parts/page.tsx';
import { Empty } from '../parts/page-states.tsx';
import rows from '../parts/rows.module.css';
import { useSteps } from '../parts/use-steps.ts';
import { VirtualList } from '../parts/virtual-list.tsx';
import { WithYear, type Year } from '../recurring/year.tsx';
import { MERCHANTS } from '../text/merchants.ts';
import { TransactionTabs } from '../transactions/transaction-tabs.tsx';
import { type MerchantSum, merchantSums } from './merchant-sums.ts';
import classes from './merchants.module.css';
import { type MerchantsSearch, merchantsSearch } from './search.ts';

const route = getRouteApi(APP_PATHS.merchants);
const MONTHS = 12;
const ROW_PX = 64;

export function MerchantsPage() {
  return (
    <Page title={MERCHANTS.title}>
      <TransactionTabs />
      <WithYear>{(year) => <Listed {...year} />}</WithYear>
    </Page>
  );
}

function Listed({ movements, rules, today }: Year) {
  // The router also passes on what the validation left out.
  const search = route.useSearch({ select: merchantsSearch });
  const navigate = route.useNavigate();
  const choose = (name: keyof MerchantsSearch, value: string) =>
    navigate({
      search: ({ [name]: _, ...others }) => (value === '' ? others : { ...others, [name]: value }),
      replace: true,
    });
  const from = `${monthsUntil(today, MONTHS)[0]}-01`;
  const sums = useSteps(useCallback(() => merchantSums(movements, rules, from), [movements, rules, from]));
  const currencies = [...(sums?.keys() ?? [])];
  const currency = currencies.find((one) => one === search.currency) ?? currencies[0];
  const words = useDeferredValue(search.q ?? '')
    .trim()
    .toLocaleLowerCase();
  const all = sums?.get(currency ?? '') ?? NONE;
  const found = useMemo(
    () => all.filter(({ name }) => name.toLocaleLowerCase().includes(words)),
    [all, words],
  );
  if (sums === null) return null;
  if (currency === undefined) return <Empty title={MERCHANTS.none} text={MERCHANTS.noneText} />;
  return (
    <>
      <search className={classes.filters} aria-label={MERCHANTS.search}>
        <TextInput
          type="search"
          label={MERCHANTS.search}
          value={search.q ?? ''}
          onChange={({ currentTarget }) => choose('q', currentTarget.value)}
        />
        <Choices
          label={MERCHANTS.currency}
          choices={currencies.map((value) => ({ value, name: value.toUpperCase() }))}
          chosen={currency}
          onChoose={(value) => choose('currency', value)}
        />
      </search>
      <p className={classes.count} role="status">
        {MERCHANTS.count(found.length)}
      </p>
      {found.length === 0 ? (
        <Empty title={MERCHANTS.unmatched} text={MERCHANTS.unmatchedText} />
      ) : (
        <VirtualList
          count={found.length}
          sizeOf={() => ROW_PX}
          keyOf={(at) => found[at]?.key ?? String(at)}
          isRow={() => true}
          onEnd={null}
          draw={(at) => {
            const sum = found[at];
            return sum === undefined ? null : <MerchantRow sum={sum} currency={currency} />;
          }}
        />
      )}
      <p className={classes.note}>{MERCHANTS.note}</p>
    </>
  );
}

const NONE: readonly MerchantSum[] = [];

function MerchantRow({ sum, currency }: { readonly sum: MerchantSum; readonly currency: string }) {
  const { key, name, spent, count, day } = sum;
  return (
    <div className={`${rows.row} ${classes.row}`}>
      <div className={rows.words}>
        <p className={rows.name}>
          <Link to={APP_PATHS.merchant} params={{ merchant: key }} className={rows.link}>
            {name}
          </Link>
        </p>
        <p className={rows.detail}>{MERCHANTS.visits(count, dayText(day))}</p>
      </div>
      <p className={rows.figure}>{moneyText(spent, currency)}</p>
    </div>
  );
}
