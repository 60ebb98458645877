import type { Caller } from '../../features/access/caller.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { Metrics } from '../../platform/metrics.ts';
import { WindowCounter } from '../../platform/window-counter.ts';
import { failureCause } from '../../vocabulary/failure-causes.ts';
import { asServiceError } from './service-errors.ts';

/**
 * Every request fails while a store is unreachable, for one reason, which is logged where it is noticed; and a caller
 * may repeat a read of a bank that is down as often as its rate allows.
 */
const MOST_LOGGED = 20;
const LOGGED_PER_MS = 60_000;
/** Of account records whose lines are counted at a time. */
const MOST_COUNTED = 10_000;

/** Whose request failed. */
interface FailedRequest {
  readonly id: string;
  readonly caller?:
    | (Pick<Caller, 'kind' | 'id'> & { readonly accountRecord: { readonly id: string } })
    | null;
}

/**
 * Counts each request that is answered with a status of 5xx, on every surface, and logs it within bounds, so that the
 * log explains the `request_id` of the answer (docs/self-hosting.md#logs).
 */
export class FailedRequests {
  readonly #log: Pick<Log, 'warn' | 'error'>;
  readonly #metrics: Pick<Metrics, 'requestFailed'>;
  readonly #logged: WindowCounter;
  /** A batch of an agent has several failures, and is one request of the histogram that alerts divide by. */
  readonly #counted = new WeakSet<FailedRequest>();

  constructor(deps: {
    readonly log: Pick<Log, 'warn' | 'error'>;
    readonly metrics: Pick<Metrics, 'requestFailed'>;
    readonly clock: Clock;
  }) {
    this.#log = deps.log;
    this.#metrics = deps.metrics;
    this.#logged = new WindowCounter(deps.clock, LOGGED_PER_MS, MOST_COUNTED);
  }

  /**
   * Does nothing for an error that is answered with a status below 500.
   *
   * @param operation what was asked for, in words of our own tables
   */
  note(thrown: unknown, request: FailedRequest, operation: string): void {
    const error = asServiceError(thrown);
    const cause = failureCause(error);
    if (cause === null) return;
    if (!this.#counted.has(request)) this.#metrics.requestFailed(cause);
    this.#counted.add(request);
    const { id, caller } = request;
    const fields = {
      request_id: id,
      operation,
      code: error.code,
      detail: error.detail,
      caller_kind: caller?.kind ?? null,
      caller_id: caller?.id ?? null,
    };
    if (cause === 'service') this.#log.error('A request failed.', fields, error.cause);
    else if (cause === 'upstream') {
      if (this.#mayLog(`upstream ${caller?.accountRecord.id ?? 'none'}`))
        this.#log.warn('A request failed.', fields, error.cause);
    } else if (this.#mayLog('store'))
      this.#log.warn('A request failed: the database is unreachable.', fields);
  }

  #mayLog(bucket: string): boolean {
    return this.#logged.add(bucket).used <= MOST_LOGGED;
  }
}
