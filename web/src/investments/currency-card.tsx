import type { Holding } from '#client';
import { compareDecimals, exactMoneyText, quantityText, ratioOf, valueText } from '../format/decimals.ts';
import { percentText } from '../format/numbers.ts';
import { Card } from '../parts/card.tsx';
import { Icon } from '../parts/icon.tsx';
import { ShareBar } from '../parts/share-list.tsx';
import { HOLDINGS } from '../text/investments.ts';
import classes from './holdings.module.css';
import { gainRatio, nameOf, type Positions } from './positions.ts';

interface CurrencyCardProps {
  readonly positions: Positions;
  /** What an account is called, where several are shown. */
  readonly accountOf: ((account: string) => string) | null;
}

/** What is held in one currency: the totals, then each holding with its share of the value. */
export function CurrencyCard({ positions, accountOf }: CurrencyCardProps) {
  const { currency, holdings, value, gain, withoutValue, withoutGain } = positions;
  const known = withoutGain === holdings.length ? null : gain;
  return (
    <Card title={HOLDINGS.inCurrency(currency.toUpperCase())} aside={HOLDINGS.count(holdings.length)}>
      <dl className={classes.totals}>
        <div>
          <dt className={classes.label}>{HOLDINGS.value}</dt>
          <dd className={classes.total}>
            {withoutValue === holdings.length ? HOLDINGS.unknown : valueText(value, currency)}
          </dd>
        </div>
        <div>
          <dt className={classes.label}>
            {signOf(known) === 0 ? HOLDINGS.even : signOf(known) > 0 ? HOLDINGS.gain : HOLDINGS.loss}
          </dt>
          <dd className={classes.total}>
            <Gain gain={known} value={withoutValue + withoutGain === 0 ? value : null} currency={currency} />
          </dd>
        </div>
      </dl>
      {withoutValue === 0 ? null : <p className={classes.note}>{HOLDINGS.unknownValues(withoutValue)}</p>}
      {withoutGain === 0 ? null : <p className={classes.note}>{HOLDINGS.unknownGains(withoutGain)}</p>}
      <table className={classes.table} aria-label={HOLDINGS.inCurrency(currency.toUpperCase())}>
        <thead>
          <tr>
            <th scope="col">{HOLDINGS.holding}</th>
            <th scope="col">{HOLDINGS.quantity}</th>
            <th scope="col">{HOLDINGS.averagePrice}</th>
            <th scope="col">{HOLDINGS.price}</th>
            <th scope="col">{HOLDINGS.value}</th>
            <th scope="col">{HOLDINGS.even}</th>
            <th scope="col">{HOLDINGS.share}</th>
          </tr>
        </thead>
        <tbody>
          {holdings.map((holding) => (
            <HoldingRow
              key={`${holding.account} ${holding.id}`}
              holding={holding}
              whole={value}
              accountOf={accountOf}
            />
          ))}
        </tbody>
      </table>
    </Card>
  );
}

interface HoldingRowProps extends Pick<CurrencyCardProps, 'accountOf'> {
  readonly holding: Holding;
  readonly whole: string;
}

function HoldingRow({ holding, whole, accountOf }: HoldingRowProps) {
  const { symbol, exchange, currency, account, market_value_decimal: value } = holding;
  const name = nameOf(holding);
  const details = [name === symbol ? null : symbol, exchange, accountOf?.(account) ?? null];
  const share = value === null ? null : ratioOf(value, whole);
  return (
    <tr>
      <th scope="row">
        <span className={classes.name}>{name === '' ? HOLDINGS.unnamed : name}</span>
        <span className={classes.label}>
          {details.filter((part) => part !== null && part !== '').join(' · ')}
        </span>
      </th>
      <td data-label={HOLDINGS.quantity}>{quantityText(holding.quantity)}</td>
      <td data-label={HOLDINGS.averagePrice}>{priceText(holding.average_price_decimal, currency)}</td>
      <td data-label={HOLDINGS.price}>{priceText(holding.current_price_decimal, currency)}</td>
      <td data-label={HOLDINGS.value}>{value === null ? HOLDINGS.unknown : valueText(value, currency)}</td>
      <td data-label={HOLDINGS.even}>
        <Gain gain={holding.unrealized_pnl_decimal} value={value} currency={currency} />
      </td>
      <td data-label={HOLDINGS.share}>
        <span className={classes.share}>
          {share === null ? HOLDINGS.unknown : percentText(share)}
          <ShareBar share={share ?? 0} />
        </span>
      </td>
    </tr>
  );
}

function priceText(decimal: string | null, currency: string): string {
  return decimal === null ? HOLDINGS.unknown : exactMoneyText(decimal, currency);
}

interface GainProps {
  readonly gain: string | null;
  /** Its current value, to compute the gain as a share; null if unknown. */
  readonly value: string | null;
  readonly currency: string;
}

/** A gain or a loss, said by its sign and an arrow, and by its colour. */
function Gain({ gain, value, currency }: GainProps) {
  const sign = signOf(gain);
  const ratio = gainRatio(value, gain);
  const tone = sign === 0 ? '' : sign > 0 ? classes.gain : classes.loss;
  return (
    <span className={`${classes.change} ${tone}`}>
      {sign === 0 ? null : <Icon name={sign > 0 ? 'up' : 'down'} size={14} />}
      {gain === null ? HOLDINGS.unknown : valueText(gain, currency, 'always')}
      {ratio === null ? null : <span className={classes.ratio}>{percentText(ratio, 'always')}</span>}
    </span>
  );
}

function signOf(gain: string | null): number {
  return gain === null ? 0 : compareDecimals(gain, '0');
}
