import type { FastifyRequest } from 'fastify';
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { Metrics } from '../../platform/metrics.ts';
import { WindowCounter } from '../../platform/window-counter.ts';
import { failureCause } from '../../vocabulary/failure-causes.ts';
import { asServiceError } from './service-errors.ts';

/** Every request fails while a store is unreachable, for one reason, which is logged where it is noticed. */
const MOST_LOGGED = 20;
const LOGGED_PER_MS = 60_000;

/** Whose request failed. */
type FailedRequest = Pick<FastifyRequest, 'id'> & Partial<Pick<FastifyRequest, 'caller'>>;

/**
 * Logs and counts each request that is answered with a status of 5xx, on every surface, so that the log explains the
 * `request_id` of the answer (docs/self-hosting.md#logs).
 */
export class FailedRequests {
  readonly #log: Pick<Log, 'warn' | 'error'>;
  readonly #metrics: Pick<Metrics, 'requestFailed'>;
  readonly #logged: WindowCounter;

  constructor(deps: {
    readonly log: Pick<Log, 'warn' | 'error'>;
    readonly metrics: Pick<Metrics, 'requestFailed'>;
    readonly clock: Clock;
  }) {
    this.#log = deps.log;
    this.#metrics = deps.metrics;
    this.#logged = new WindowCounter(deps.clock, LOGGED_PER_MS, 1);
  }

  /**
   * Does nothing for an error that is answered with a status below 500.
   *
   * @param operation what was asked for, in words of our own tables
   */
  note(thrown: unknown, { id, caller }: FailedRequest, operation: string): void {
    const error = asServiceError(thrown);
    const cause = failureCause(error);
    if (cause === null) return;
    this.#metrics.requestFailed(cause);
    const fields = {
      request_id: id,
      operation,
      code: error.code,
      detail: error.detail,
      caller_kind: caller?.kind ?? null,
      caller_id: caller?.id ?? null,
    };
    if (cause === 'service') this.#log.error('A request failed.', fields, error.cause);
    else if (cause === 'upstream') this.#log.warn('A request failed.', fields, error.cause);
    else if (this.#logged.add(cause).used <= MOST_LOGGED)
      this.#log.warn('A request failed: the database is unreachable.', fields);
  }
}
