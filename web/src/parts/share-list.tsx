import { shareOf } from './chart-scale.ts';
import classes from './charts.module.css';

interface Share {
  readonly key: string;
  readonly name: string;
  readonly value: bigint;
}

interface ShareListProps {
  readonly label: string;
  readonly shares: readonly Share[];
  readonly text: (value: bigint) => string;
}

/** Names and values, each with a bar in proportion to the largest. */
export function ShareList({ label, shares, text }: ShareListProps) {
  const most = shares.reduce((largest, { value }) => (value > largest ? value : largest), 0n);
  return (
    <ul className={classes.list} aria-label={label}>
      {shares.map(({ key, name, value }) => (
        <li key={key} className={classes.share}>
          <span className={classes.name}>{name}</span>
          <span className={classes.value}>{text(value)}</span>
          <span className={classes.bar}>
            <ShareBar share={shareOf(value, most)} />
          </span>
        </li>
      ))}
    </ul>
  );
}

const WHOLE = 100;

/** A share of a whole, drawn beside the number. Debts have no bar. */
export function ShareBar({ share }: { readonly share: number }) {
  const width = Math.min(Math.max(share, 0), 1) * WHOLE;
  return (
    <svg
      className={classes.shareBar}
      viewBox={`0 0 ${WHOLE} 1`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <rect className={classes.whole} width={WHOLE} height={1} />
      <rect className={classes.sharePart} width={width} height={1} />
    </svg>
  );
}
