import { Link } from '@tanstack/react-router';
import { type ReactNode, useCallback } from 'react';
import type { Account } from '#client';
import { APP_PATHS } from '../../../src/vocabulary/page-paths.ts';
import type { Movement } from '../accounts/net-position.ts';
import type { SpendingRules } from '../accounts/spending-rules.ts';
import { useSpendingRules } from '../accounts/use-spending-rules.ts';
import { accountLabel } from '../format/account-names.ts';
import { Card } from '../parts/card.tsx';
import type { Steps } from '../parts/steps.ts';
import { useSteps } from '../parts/use-steps.ts';
import { RECURRING } from '../text/recurring.ts';
import { ExpectedList } from './expected-list.tsx';
import classes from './recurring.module.css';
import { type Series, seriesIn } from './series.ts';
import { expectedIn } from './upcoming.ts';

const DAYS = 14;
const SHOWN = 5;

interface ComingUpProps {
  readonly accounts: readonly Account[];
  /** What each account did, as far back as the page has read it. */
  readonly movements: readonly (readonly Movement[])[];
  readonly today: string;
  /** Shown in place of all of it until what recurs is known. */
  readonly loading: ReactNode;
  /** What is below, which would move if it were there first. */
  readonly children: ReactNode;
}

/** The payments that are expected first, above something else. Nothing of its own where nothing recurring was found. */
export function ComingUp({ accounts, movements, today, loading, children }: ComingUpProps) {
  const rules = useSpendingRules(accounts);
  const series = useSteps(useCallback(() => foundIn(movements, rules, today), [movements, rules, today]));
  if (series === null) return loading;
  const all = expectedIn(series, today, DAYS);
  const expected = all.slice(0, SHOWN);
  if (expected.length === 0) return children;
  const names = new Map(accounts.map((account) => [account.id, accountLabel(account)]));
  return (
    <>
      <Card title={RECURRING.comingUp} aside={RECURRING.comingUpAside}>
        <ExpectedList
          label={RECURRING.comingUp}
          expected={expected}
          today={today}
          nameOf={(account) => names.get(account) ?? ''}
        />
        <p className={classes.end}>
          <Link to={APP_PATHS.recurring}>
            {all.length > SHOWN ? RECURRING.comingUpMore(all.length - SHOWN) : RECURRING.comingUpAll}
          </Link>
        </p>
      </Card>
      {children}
    </>
  );
}

interface Found {
  readonly asked: string;
  readonly series: readonly Series[];
}

/**
 * By the movements of an account, which are the same until it is read again. A page that renders meanwhile begins again
 * with the account that was looked at.
 */
const known = new WeakMap<readonly Movement[], Found>();

function* foundIn(
  movements: readonly (readonly Movement[])[],
  rules: SpendingRules,
  today: string,
): Steps<readonly Series[]> {
  const asked = [today, rules.hasCards, ...rules.loans].join(' ');
  const all: Series[] = [];
  for (const own of movements) {
    let found = known.get(own);
    if (found?.asked !== asked) {
      found = { asked, series: yield* seriesIn(own, rules, today) };
      known.set(own, found);
    }
    all.push(...found.series);
  }
  return all;
}
