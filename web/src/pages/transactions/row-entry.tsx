import type { Transaction } from '#client';
import { dayText } from '../../format/moments.ts';
import { moneyText } from '../../format/money.ts';
import type { RowFocus } from '../../parts/virtual-list.tsx';
import { TRANSACTIONS } from '../../text/transactions.ts';
import classes from './transactions.module.css';

interface RowEntryProps {
  readonly row: Transaction;
  readonly nameOf: (category: string) => string;
  /** What the account is called, where rows of several are shown. */
  readonly accountOf: ((account: string) => string) | null;
  /** Without headings, each row says its day; pending rows do always, because their heading says none. */
  readonly dated: boolean;
  readonly focus: RowFocus;
  readonly onOpen: () => void;
}

/** One transaction: who and why on the left, how much on the right. */
export function RowEntry({ row, nameOf, accountOf, dated, focus, onOpen }: RowEntryProps) {
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
