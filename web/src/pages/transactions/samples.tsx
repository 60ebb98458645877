import type { Transaction } from '#client';
import { dayText } from '../../format/moments.ts';
import { moneyText } from '../../format/money.ts';
import { CATEGORY_CHANGE } from '../../text/category-change.ts';
import classes from './transaction-dialog.module.css';

const SHOWN = 5;

/** The first of the transactions that a change is about, and how many more there are. */
export function Samples({ rows }: { readonly rows: readonly Transaction[] }) {
  if (rows.length === 0) return null;
  return (
    <ul className={classes.samples}>
      {rows.slice(0, SHOWN).map(({ id, description, date, amount }) => (
        <li key={id}>
          <span>{date === null ? description : `${dayText(date)} · ${description}`}</span>
          <span>{moneyText(BigInt(amount.amount), amount.currency, 'always')}</span>
        </li>
      ))}
      {rows.length > SHOWN ? (
        <li>
          <span>{CATEGORY_CHANGE.andMore(rows.length - SHOWN)}</span>
        </li>
      ) : null}
    </ul>
  );
}
