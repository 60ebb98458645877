import { Button } from '@mantine/core';
import type { WebhookDelivery } from '#client';
import { agoText, momentText } from '../format/moments.ts';
import { numberText } from '../format/numbers.ts';
import rows from '../parts/rows.module.css';
import { StatusBadge, type Tone } from '../parts/status-badge.tsx';
import { DELIVERIES } from '../text/webhook-deliveries.ts';
import classes from './destinations.module.css';

interface DeliveryRowProps {
  readonly delivery: WebhookDelivery;
  readonly zone: string;
  /** Null while nothing can be sent there. */
  readonly onResend: (() => void) | null;
}

const TONES: Readonly<Record<WebhookDelivery['status'], Tone>> = { succeeded: 'good', failed: 'bad' };

/** One event: how many rows it had, the response, and its attempts on request. */
export function DeliveryRow({ delivery, zone, onResend }: DeliveryRowProps) {
  const { event, type, status, attempts, attempt_count: count, created } = delivery;
  const latest = latestAttempt(delivery);
  return (
    <li>
      <div className={rows.row}>
        <div className={rows.words}>
          <p className={rows.name}>
            {DELIVERIES.rows(delivery.new_count, delivery.updated_count, delivery.removed_count)}
            <StatusBadge tone={TONES[status]}>{DELIVERIES.status[status]}</StatusBadge>
          </p>
          <p className={rows.detail}>
            {[
              DELIVERIES.types[type],
              agoText(created),
              ...(latest === null ? [] : [attemptText(latest), durationText(latest)]),
              DELIVERIES.attempts(count),
            ].join(' · ')}
          </p>
        </div>
        <Button
          size="xs"
          variant="default"
          disabled={onResend === null}
          aria-label={DELIVERIES.againOf(event)}
          onClick={() => onResend?.()}
        >
          {DELIVERIES.again}
        </Button>
      </div>
      <details className={classes.attempts}>
        <summary>{DELIVERIES.show}</summary>
        <p className={classes.event}>{`${DELIVERIES.event}: ${event}`}</p>
        {count > attempts.length ? (
          <p className={classes.event}>{DELIVERIES.latestAttempts(attempts.length)}</p>
        ) : null}
        <ol className={classes.attemptList}>
          {attempts.map((attempt) => (
            <li key={attempt.attempted} className={classes.attempt}>
              <span>{momentText(attempt.attempted, zone)}</span>
              <span>{attemptText(attempt)}</span>
              <span>{durationText(attempt)}</span>
              {attempt.answer === null || attempt.answer === '' ? null : (
                <>
                  <span className={classes.answerLabel}>{DELIVERIES.answer}</span>
                  <pre className={classes.answer}>{attempt.answer}</pre>
                </>
              )}
            </li>
          ))}
        </ol>
      </details>
    </li>
  );
}

function durationText({ duration_ms: ms }: Attempt): string {
  return DELIVERIES.duration(numberText(ms));
}

type Attempt = WebhookDelivery['attempts'][number];

/** The last attempt to send an event, whichever end of the log it is at. */
export function latestAttempt({ attempts }: Pick<WebhookDelivery, 'attempts'>): Attempt | null {
  return attempts.toSorted((a, b) => a.attempted.localeCompare(b.attempted)).at(-1) ?? null;
}

/** How an attempt ended: with a status, or why without one. */
export function attemptText({ status_code: code, failure }: Attempt): string {
  if (failure !== null) return DELIVERIES.failures[failure];
  return code === null ? DELIVERIES.failures.connection : DELIVERIES.answered(code);
}
