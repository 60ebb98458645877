import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { earliestAgain, type ReadBalance } from '../api/held-balances.ts';
import { me } from '../api/me.ts';
import { now } from '../format/clock.ts';
import { timeText } from '../format/moments.ts';
import { PROBLEMS } from '../text/problems.ts';
import classes from './read-again.module.css';

interface ReadAgainProps {
  readonly read: readonly ReadBalance[];
  readonly onAgain: () => void;
}

/** A failure passes sooner than this; it is the bank that has a longer wait. */
const LEAST_WAIT_MS = 60_000;

/** When the balances can be read again, and a way to try. Nothing where all of them are as new as can be. */
export function ReadAgain({ read, onAgain }: ReadAgainProps) {
  const { data: record } = useQuery(me);
  const again = earliestAgain(read);
  const isUnread = read.some(({ freshness }) => freshness === 'unavailable');
  const isLate = again !== null && Date.parse(again) - now() > LEAST_WAIT_MS;
  if (!isUnread && !isLate) return null;
  return (
    <div className={classes.again}>
      {isLate && record !== undefined ? <p>{PROBLEMS.againAt(timeText(again, record.timezone))}</p> : null}
      {isUnread ? (
        <Button size="xs" variant="default" onClick={onAgain}>
          {PROBLEMS.again}
        </Button>
      ) : null}
    </div>
  );
}
