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
          <GainFigure
            gain={withoutGain === holdings.length ? null : gain}
            value={withoutValue + withoutGain === 0 ? value : null}
            currency={currency}
            large
          />
        </div>
      </dl>
      {withoutValue === 0 ? null : <p className={classes.note}>{HOLDINGS.unknownValues(withoutValue)}</p>}
      {withoutGain === 0 ? null : <p className={classes.note}>{HOLDINGS.unknownGains(withoutGain)}</p>}
      <ul className={classes.holdings}>
        {holdings.map((holding) => (
          <HoldingRow
            key={`${holding.account} ${holding.id}`}
            holding={holding}
            whole={value}
            accountOf={accountOf}
          />
        ))}
      </ul>
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
    <li className={classes.holding}>
      <div className={classes.words}>
        <h3 className={classes.name}>{name === '' ? HOLDINGS.unnamed : name}</h3>
        <p className={classes.label}>{details.filter((part) => part !== null && part !== '').join(' · ')}</p>
      </div>
      <dl className={classes.figures}>
        <Figure label={HOLDINGS.quantity} text={quantityText(holding.quantity)} />
        <Figure label={HOLDINGS.averagePrice} text={priceText(holding.average_price_decimal, currency)} />
        <Figure label={HOLDINGS.price} text={priceText(holding.current_price_decimal, currency)} />
        <Figure
          label={HOLDINGS.value}
          text={value === null ? HOLDINGS.unknown : valueText(value, currency)}
        />
        <div className={classes.figure}>
          <GainFigure gain={holding.unrealized_pnl_decimal} value={value} currency={currency} />
        </div>
        <div className={classes.figure}>
          <dt className={classes.label}>{HOLDINGS.share}</dt>
          <dd className={classes.share}>
            {share === null ? HOLDINGS.unknown : percentText(share)}
            <ShareBar share={share ?? 0} />
          </dd>
        </div>
      </dl>
    </li>
  );
}

function Figure({ label, text }: { readonly label: string; readonly text: string }) {
  return (
    <div className={classes.figure}>
      <dt className={classes.label}>{label}</dt>
      <dd>{text}</dd>
    </div>
  );
}

function priceText(decimal: string | null, currency: string): string {
  return decimal === null ? HOLDINGS.unknown : exactMoneyText(decimal, currency);
}

interface GainFigureProps {
  readonly gain: string | null;
  /** Its current value, to compute the gain as a share; null if unknown. */
  readonly value: string | null;
  readonly currency: string;
  readonly large?: boolean;
}

/** A gain or a loss, shown by its name, sign, arrow and colour. */
function GainFigure({ gain, value, currency, large = false }: GainFigureProps) {
  const sign = gain === null ? 0 : compareDecimals(gain, '0');
  const ratio = gainRatio(value, gain);
  const tone = sign === 0 ? '' : sign > 0 ? classes.gain : classes.loss;
  return (
    <>
      <dt className={classes.label}>
        {sign === 0 ? HOLDINGS.even : sign > 0 ? HOLDINGS.gain : HOLDINGS.loss}
      </dt>
      <dd className={`${classes.change} ${large ? classes.total : ''} ${tone}`}>
        {sign === 0 ? null : <Icon name={sign > 0 ? 'up' : 'down'} size={large ? 20 : 14} />}
        {gain === null ? HOLDINGS.unknown : valueText(gain, currency, 'always')}
        {ratio === null ? null : <span className={classes.ratio}>{percentText(ratio, 'always')}</span>}
      </dd>
    </>
  );
}
