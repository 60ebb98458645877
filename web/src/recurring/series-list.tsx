import { Link } from '@tanstack/react-router';
import { APP_PATHS } from '../../../src/vocabulary/page-paths.ts';
import { dayText } from '../format/moments.ts';
import { moneyText } from '../format/money.ts';
import rows from '../parts/rows.module.css';
import { RECURRING } from '../text/recurring.ts';
import { RHYTHMS } from './cadences.ts';
import classes from './recurring.module.css';
import type { Series } from './series.ts';

interface SeriesListProps {
  readonly label: string;
  readonly series: readonly Series[];
  readonly nameOf: (account: string) => string;
  /** Whether names lead to the pages of their merchants. */
  readonly linked?: boolean;
}

/** Series, each with how often it comes, for how much, and when next. */
export function SeriesList({ label, series, nameOf, linked = true }: SeriesListProps) {
  return (
    <ul className={rows.rows} aria-label={label}>
      {series.map((one) => (
        <li key={one.id} className={rows.row}>
          <div className={rows.words}>
            <p className={rows.name}>
              {linked ? <MerchantLink series={one} /> : RECURRING.cadence[one.cadence]}
            </p>
            <p className={rows.detail}>{detailsOf(one, nameOf, linked).join(' · ')}</p>
          </div>
          <div className={classes.figures}>
            <p className={classes.amount}>{amountOf(one)}</p>
            <p className={rows.detail}>
              {one.next === null ? RECURRING.count(one.payments.length) : costOf(one)}
            </p>
          </div>
        </li>
      ))}
    </ul>
  );
}

/** The name of a merchant, which leads to its page. */
export function MerchantLink({ series: { merchant } }: { readonly series: Series }) {
  return (
    <Link to={APP_PATHS.merchant} params={{ merchant: merchant.key }} className={rows.link}>
      {merchant.name}
    </Link>
  );
}

/** What the next payment is expected to come to: signed as in lists of transactions, and `about` if it varies. */
export function amountOf({ usual, direction, currency, isFixed }: Series): string {
  const text = moneyText(direction === 'out' ? -usual : usual, currency, 'always');
  return isFixed ? text : RECURRING.about(text);
}

function detailsOf(series: Series, nameOf: SeriesListProps['nameOf'], linked: boolean): readonly string[] {
  const { cadence, account, currency, payments, isFixed, change, next } = series;
  const text = (amount: bigint) => moneyText(amount, currency);
  const amounts = payments.map(({ amount }) => amount);
  const most = amounts.reduce((a, b) => (a > b ? a : b), 0n);
  const least = amounts.reduce((a, b) => (a < b ? a : b), most);
  const last = payments.at(-1)?.day ?? '';
  return [
    ...(linked ? [RECURRING.cadence[cadence]] : []),
    next === null ? RECURRING.lastSeen(dayText(last)) : RECURRING.next(dayText(next)),
    ...(isFixed ? [] : [RECURRING.varies(text(least), text(most))]),
    ...(change === null ? [] : [RECURRING.raised(text(change.before), dayText(change.day))]),
    nameOf(account),
  ].filter((part) => part !== '');
}

/** What it comes to in a year, at what is expected next. */
export function yearly({ usual, cadence }: Series): bigint {
  return usual * RHYTHMS[cadence].perYear;
}

function costOf(series: Series): string {
  return RECURRING.aYear(moneyText(yearly(series), series.currency));
}
