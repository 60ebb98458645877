import { dayText } from '../format/moments.ts';
import rows from '../parts/rows.module.css';
import { RECURRING } from '../text/recurring.ts';
import classes from './recurring.module.css';
import { amountOf, MerchantLink } from './series-list.tsx';
import type { Expected } from './upcoming.ts';

interface ExpectedListProps {
  readonly label: string;
  readonly expected: readonly Expected[];
  readonly today: string;
  readonly nameOf: (account: string) => string;
}

/** Payments that are expected, with about when. */
export function ExpectedList({ label, expected, today, nameOf }: ExpectedListProps) {
  return (
    <ul className={rows.rows} aria-label={label}>
      {expected.map(({ series, day, late }) => (
        <li key={`${series.id} ${day}`} className={rows.row}>
          <div className={rows.words}>
            <p className={rows.name}>
              <MerchantLink series={series} />
            </p>
            <p className={rows.detail}>
              <span className={late > 0 ? classes.late : undefined}>{whenOf(day, late, today)}</span>
              {` · ${nameOf(series.account)}`}
            </p>
          </div>
          <p className={`${classes.amount} ${series.direction === 'in' ? classes.income : ''}`}>
            {amountOf(series)}
          </p>
        </li>
      ))}
    </ul>
  );
}

function whenOf(day: string, late: number, today: string): string {
  if (late > 0) return RECURRING.late(late);
  return day === today ? RECURRING.expectedToday : RECURRING.expected(dayText(day));
}
