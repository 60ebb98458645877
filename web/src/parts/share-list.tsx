import type { ReactNode } from 'react';
import { percentText } from '../format/numbers.ts';
import { shareOf } from './chart-scale.ts';
import classes from './charts.module.css';

export interface Share {
  readonly key: string;
  readonly name: string;
  readonly value: bigint;
}

interface ShareListProps {
  readonly label: string;
  readonly shares: readonly Share[];
  readonly text: (value: bigint) => string;
  /** What the shares are parts of; without it, no percentages are shown. */
  readonly whole?: bigint;
  /** What an entry opens: its name as a button or a link, to which the class gives the size of the entry. */
  readonly open?: (share: Share, className: string) => ReactNode;
}

/** Names and values, each with a bar from zero in proportion to the largest. */
export function ShareList({ label, shares, text, whole, open }: ShareListProps) {
  const most = shares.reduce((largest, { value }) => (value > largest ? value : largest), 0n);
  return (
    <ul className={classes.list} aria-label={label}>
      {shares.map((share) => {
        const opened = open?.(share, classes.open ?? '') ?? null;
        return (
          <li key={share.key} className={classes.share}>
            <span className={classes.name}>{opened ?? share.name}</span>
            <span className={classes.value}>{text(share.value)}</span>
            {whole === undefined || whole <= 0n ? null : (
              <span className={classes.percent}>{percentText(partOf(share.value, whole))}</span>
            )}
            <span className={classes.bar}>
              <ShareBar share={shareOf(share.value, most)} />
            </span>
          </li>
        );
      })}
    </ul>
  );
}

const MILLION = 1_000_000n;

/** What a value is of a positive whole: below zero for debts, above one where debts make the whole smaller. */
export function partOf(value: bigint, whole: bigint): number {
  return Number((value * MILLION) / whole) / Number(MILLION);
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
