import { shareOf } from './chart-scale.ts';
import { ShareBar } from './share-bar.tsx';
import classes from './share-list.module.css';

export interface Share {
  readonly key: string;
  readonly name: string;
  readonly value: bigint;
}

interface ShareListProps {
  readonly label: string;
  readonly shares: readonly Share[];
  readonly text: (value: bigint) => string;
}

/** Names and values, each with a bar as long as it is beside the largest. */
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
