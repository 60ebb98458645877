import type { Clock } from '../../../platform/clock.ts';
import type { Log } from '../../../platform/log.ts';
import type { Db } from '../../../storage/database.ts';
import { type RunLease, releaseRun, renewLease } from '../../../storage/run-leases.ts';
import { DeadlinePassed, LeaseLost } from './run-context.ts';

/** Keeps a run's lease alive while it is worked on, and ends the work when the lease is lost or time is up. */
export class LeaseRenewal {
  readonly #db: Db;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #lease: RunLease;
  readonly #leaseMs: number;
  readonly #halted = new AbortController();
  readonly #ended = new AbortController();
  /** Until when nobody else can take the run, by our clock (epoch milliseconds). */
  #heldUntil: number;

  constructor(deps: {
    db: Db;
    clock: Clock;
    log: Log;
    lease: RunLease;
    leaseMs: number;
    /** When the lease ends that was taken with the claim. */
    heldUntil: number;
    deadlineAt: number;
  }) {
    this.#db = deps.db;
    this.#clock = deps.clock;
    this.#log = deps.log;
    this.#lease = deps.lease;
    this.#leaseMs = deps.leaseMs;
    this.#heldUntil = deps.heldUntil;
    void this.#renewing();
    void this.#timing(deps.deadlineAt);
  }

  /** Aborts with LeaseLost or DeadlinePassed. */
  get halted(): AbortSignal {
    return this.#halted.signal;
  }

  /**
   * Raises LeaseLost unless the lease stands. Within its time our own clock says so; a worker that slept through that
   * time asks the database.
   */
  async confirm(): Promise<void> {
    this.#halted.signal.throwIfAborted();
    if (this.#clock.now() < this.#heldUntil || (await this.#renew())) return;
    this.#halted.abort(new LeaseLost());
    this.#halted.signal.throwIfAborted();
  }

  /** Ends the heartbeat. The lease is left as it is. */
  end(): void {
    this.#ended.abort();
  }

  /** Lets another worker take the run at once, after the others of its owner. */
  async release(): Promise<void> {
    this.end();
    await releaseRun(this.#db, this.#lease, new Date(this.#clock.now()));
  }

  async #renewing(): Promise<void> {
    for (;;) {
      if (!(await this.#slept(this.#leaseMs / 3))) return;
      try {
        if (await this.#renew()) continue;
        if (!this.#ended.signal.aborted) this.#halted.abort(new LeaseLost());
        return;
      } catch (error) {
        // The database may be back for the next beat; until then the fence keeps two workers apart.
        this.#log.warn('a lease was not renewed', { run: this.#lease.run }, error);
      }
    }
  }

  async #renew(): Promise<boolean> {
    const until = this.#clock.now() + this.#leaseMs;
    const renewed = await renewLease(this.#db, this.#lease, new Date(until));
    if (renewed) this.#heldUntil = until;
    return renewed;
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
