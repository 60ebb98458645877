import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { Db } from '../../storage/database.ts';
import { type RunLease, renewLease } from '../../storage/run-leases.ts';
import { DeadlinePassed, LeaseLost } from './run-context.ts';

/** Keeps a run's lease alive while it is worked on, and ends the work when the lease is lost or time is up. */
export class RunHold {
  readonly #db: Db;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #lease: RunLease;
  readonly #leaseMs: number;
  readonly #halted = new AbortController();
  readonly #ended = new AbortController();

  constructor(deps: {
    db: Db;
    clock: Clock;
    log: Log;
    lease: RunLease;
    leaseMs: number;
    deadlineAt: number;
  }) {
    this.#db = deps.db;
    this.#clock = deps.clock;
    this.#log = deps.log;
    this.#lease = deps.lease;
    this.#leaseMs = deps.leaseMs;
    void this.#renewing();
    void this.#timing(deps.deadlineAt);
  }

  /** Aborts with LeaseLost or DeadlinePassed. */
  get halted(): AbortSignal {
    return this.#halted.signal;
  }

  /** Ends the heartbeat. The lease is left as it is. */
  end(): void {
    this.#ended.abort();
  }

  /** Lets another worker take the run at once. */
  async release(): Promise<void> {
    this.end();
    await renewLease(this.#db, this.#lease, new Date(0));
  }

  async #renewing(): Promise<void> {
    for (;;) {
      if (!(await this.#slept(this.#leaseMs / 3))) return;
      try {
        const until = new Date(this.#clock.now() + this.#leaseMs);
        if (await renewLease(this.#db, this.#lease, until)) continue;
        if (!this.#ended.signal.aborted) this.#halted.abort(new LeaseLost());
        return;
      } catch (error) {
        // The database may be back for the next beat; until then the fence keeps two workers apart.
        this.#log.warn('a lease was not renewed', { run: this.#lease.run }, error);
      }
    }
  }

  async #timing(deadlineAt: number): Promise<void> {
    if (await this.#slept(deadlineAt - this.#clock.now())) this.#halted.abort(new DeadlinePassed());
  }

  /** False when the work ended first. */
  async #slept(ms: number): Promise<boolean> {
    try {
      await this.#clock.sleep(Math.max(0, ms), this.#ended.signal);
      return true;
    } catch {
      return false;
    }
  }
}
