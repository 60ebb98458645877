import type { Trade } from '#client';
import { exactMoneyText, quantityText } from '../../format/decimals.ts';
import { dayText } from '../../format/moments.ts';
import { TRADES } from '../../text/brokerage.ts';
import classes from './trades.module.css';

interface TradeRowProps {
  readonly trade: Trade;
  /** What its account is called, where several are shown. */
  readonly account: string | null;
}

/** A decimal that is not zero. */
const SOME = /[1-9]/;

/** One trade: what was done with what on the left, its amount on the right. Figures have all their digits. */
export function TradeRow({ trade, account }: TradeRowProps) {
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
