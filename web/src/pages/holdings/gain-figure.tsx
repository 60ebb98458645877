import { compareDecimals, valueText } from '../../format/decimals.ts';
import { percentText } from '../../format/numbers.ts';
import { Icon } from '../../parts/icon.tsx';
import { HOLDINGS } from '../../text/brokerage.ts';
import classes from './holdings.module.css';
import { gainRatio } from './positions.ts';

interface GainFigureProps {
  readonly gain: string | null;
  /** What it is worth now, to say how much of it is gain; null where that is unknown. */
  readonly value: string | null;
  readonly currency: string;
  readonly large?: boolean;
}

/** A gain or a loss, said by its name, its sign and an arrow, and by its colour. */
export function GainFigure({ gain, value, currency, large = false }: GainFigureProps) {
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
