import type { Clock } from '../platform/clock.ts';
import type { Role } from '../platform/config.ts';
import type { Log } from '../platform/log.ts';
import { withRequestId } from '../platform/request-origin.ts';
import { inRoot, NO_TRACING, type RootSpan, type Tracing } from '../platform/tracing.ts';
import { SANDBOX_BEAT_MS, WORKER_BEAT_MS } from '../storage/processes.ts';
import { isStoreUnavailable } from '../vocabulary/store-unavailable.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

export interface PeriodicRow {
  /** The processes that do it; null if it does not depend on the roles. */
  readonly role: Role | null;
  /** From the end of one round to the beginning of the next. */
  readonly everyMs: number;
}

/**
 * All work that the service repeats automatically, by the names that the log uses (docs/background-work.md). Work that
 * is done on demand is in the table of queues.
 */
export const PERIODIC_WORK = {
  // A notice may be missed, and there is none when a lease ends.
  'waiting runs': { role: 'worker', everyMs: SECOND_MS },
  // Events whose notice was missed, or whose worker died.
  'events to hand on': { role: 'worker', everyMs: 5 * SECOND_MS },
  // Jobs of other processes whose notice was missed, deferred jobs, and those whose worker died.
  'due jobs': { role: 'worker', everyMs: SECOND_MS / 2 },
  // Attempts that are due, and those whose worker died.
  'events to deliver': { role: 'worker', everyMs: SECOND_MS },
  'stale rows of the ledger': { role: 'worker', everyMs: 5 * SECOND_MS },
  'worker heartbeat': { role: 'worker', everyMs: WORKER_BEAT_MS },
  'due syncs': { role: 'scheduler', everyMs: 10 * SECOND_MS },
  'run history': { role: 'scheduler', everyMs: HOUR_MS },
  'old events': { role: 'scheduler', everyMs: HOUR_MS },
  'expiries of linking': { role: 'scheduler', everyMs: MINUTE_MS },
  'statement files to delete': { role: 'scheduler', everyMs: HOUR_MS },
  'old notifications': { role: 'scheduler', everyMs: HOUR_MS },
  'old link sessions': { role: 'scheduler', everyMs: HOUR_MS },
  'ended sessions and links': { role: 'scheduler', everyMs: 10 * MINUTE_MS },
  'expired tokens of apps': { role: 'scheduler', everyMs: 15 * MINUTE_MS },
  'unused change cursors': { role: 'scheduler', everyMs: HOUR_MS },
  'idempotency keys': { role: 'scheduler', everyMs: HOUR_MS },
  // When one is due follows from the backups there are.
  'scheduled backup': { role: 'scheduler', everyMs: 5 * MINUTE_MS },
  'use of keys': { role: 'api', everyMs: 10 * SECOND_MS },
  'past rate limits': { role: 'api', everyMs: MINUTE_MS },
  // A fast sync writes some 40 MB of log in that time.
  'upkeep of the embedded database': { role: null, everyMs: 2 * SECOND_MS },
  // How soon a process notices that another one of its data directory has ended, or has moved the clock.
  'lock of the data directory': { role: null, everyMs: SECOND_MS },
  'files of the first start': { role: null, everyMs: MINUTE_MS },
  'clock of the sandbox': { role: null, everyMs: SECOND_MS },
  'claim of the sandbox': { role: null, everyMs: SANDBOX_BEAT_MS },
} as const satisfies Readonly<Record<string, PeriodicRow>>;

export type PeriodicName = keyof typeof PERIODIC_WORK;

/** Whether a process with these roles does the work. */
export function isDoneBy(name: PeriodicName, roles: readonly Role[]): boolean {
  const { role }: PeriodicRow = PERIODIC_WORK[name];
  return role === null || roles.includes(role);
}

/** Work that is done at once and then repeatedly, never twice at the same time. A failure is logged. */
export class Periodic {
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #tracing: Tracing;
  readonly #name: PeriodicName;
  readonly #work: (signal: AbortSignal) => Promise<void>;
  readonly #stopping = new AbortController();
  #running: Promise<void> = Promise.resolve();

  /** @param work its signal aborts when the work is to stop */
  constructor(
    deps: { readonly clock: Clock; readonly log: Log; readonly tracing?: Tracing },
    name: PeriodicName,
    work: (signal: AbortSignal) => Promise<void>,
  ) {
    this.#clock = deps.clock;
    this.#log = deps.log;
    this.#tracing = deps.tracing ?? NO_TRACING;
    this.#name = name;
    this.#work = work;
  }

  start(): void {
    this.#running = this.#loop();
  }

  /** Waits for the work in progress. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #loop(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      try {
        await inRoot(this.#tracing, rootOf(this.#name), () => this.#work(signal));
      } catch (error) {
        this.#failed(error);
      }
      await this.#clock.sleep(PERIODIC_WORK[this.#name].everyMs, signal).catch(() => undefined);
    }
  }

  #failed(error: unknown): void {
    const fields = { work: this.#name };
    if (this.#stopping.signal.aborted) this.#log.debug('Periodic work was interrupted.', fields, error);
    // That the database is unreachable is logged once, where it is noticed.
    else if (isStoreUnavailable(error)) this.#log.debug('Periodic work is waiting for the database.', fields);
    else this.#log.error('periodic work failed', fields, error);
  }
}

function rootOf(name: PeriodicName): RootSpan {
  const routine = PERIODIC_WORK[name].everyMs < MINUTE_MS;
  return { name, kind: 'internal', requestId: null, place: 'later', routine };
}

/**
 * Work in rounds, one at a time: a wake-up during a round is followed by another, and so is a round that found more.
 */
export class Rounds {
  readonly #log: Log;
  readonly #what: string;
  readonly #round: () => Promise<boolean>;
  readonly #pause: () => Promise<void>;
  #running: Promise<void> | null = null;
  #isWanted = false;
  #isStopped = false;

  /**
   * @param round returns whether there may be more to do
   * @param pause waited for between two rounds, so that what comes in quick succession is done together
   */
  constructor(
    log: Log,
    what: string,
    round: () => Promise<boolean>,
    pause: () => Promise<void> = async () => undefined,
  ) {
    this.#log = log;
    this.#what = what;
    this.#round = round;
    this.#pause = pause;
  }

  wake(): void {
    if (this.#isStopped) return;
    this.#isWanted = true;
    // Whatever the request that woke it was about, the round is about more.
    this.#running ??= withRequestId(null, () => this.#run());
  }

  /** Waits for the round in progress; none follows. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#running;
  }

  async #run(): Promise<void> {
    while (this.#isWanted && !this.#isStopped) {
      this.#isWanted = false;
      try {
        if (await this.#round()) this.#isWanted = true;
      } catch (error) {
        // That the database is unreachable is logged once, where it is noticed; the next wake-up retries.
        if (!isStoreUnavailable(error))
          this.#log.error('a round of work failed', { work: this.#what }, error);
      }
      await this.#pause();
    }
    this.#running = null;
  }
}

/**
 * When to try work again that began at `since` and failed at `now`, epoch ms: after half its age, so that the waits
 * grow with it and no count of attempts is stored. Never sooner than `least` nor later than `most` ms from now.
 */
export function retryAt(since: number, now: number, least: number, most: number): Date {
  return new Date(now + Math.min(Math.max((now - since) / 2, least), most));
}
