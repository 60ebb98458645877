import type { EventDelivery } from '#client';
import { momentText } from '../../format/moments.ts';
import { EVENTS } from '../../text/events.ts';
import classes from './events.module.css';

interface AttemptListProps {
  readonly attempts: EventDelivery['attempts'];
  readonly zone: string;
}

/** The latest attempts to deliver an event: when, how long it took, and what the receiver said. */
export function AttemptList({ attempts, zone }: AttemptListProps) {
  if (attempts.length === 0) return null;
  return (
    <ol className={classes.attempts}>
      {attempts.map(({ attempted, duration_ms: ms, status_code: status, failure, answer }) => (
        <li key={attempted}>
          <p className={classes.attempt}>
            <span>
              {failure !== null ? EVENTS.failures[failure] : status !== null ? EVENTS.answered(status) : null}
            </span>
            <span className={classes.when}>{EVENTS.attempt(momentText(attempted, zone), ms)}</span>
          </p>
          {answer === null || answer === '' ? null : (
            <>
              <p className={classes.when}>{EVENTS.answerBegan}</p>
              <pre className={classes.answer}>{answer}</pre>
            </>
          )}
        </li>
      ))}
    </ol>
  );
}
