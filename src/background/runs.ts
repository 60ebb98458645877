import type { SyncEngine, TakenRun } from '../features/sync-engine/run/sync-engine.ts';
import type { Clock } from '../platform/clock.ts';
import { mayTake } from '../platform/fair-slots.ts';
import type { Log } from '../platform/log.ts';
import { withRequestId } from '../platform/request-origin.ts';
import { withRetryBudget } from '../platform/retry-budget.ts';
import {
  failureType,
  inRoot,
  NO_TRACING,
  placeOf,
  type RootSpan,
  type Tracing,
} from '../platform/tracing.ts';
import type { Db } from '../storage/database.ts';
import type { Notices } from '../storage/notices.ts';
import { waitingRuns } from '../storage/run-leases.ts';
import { voidLeases } from '../storage/sync-runs.ts';
import { type OwnerId, publicId } from '../vocabulary/ids.ts';
import type { Limits } from '../vocabulary/limits.ts';
import { Periodic } from './periodic.ts';

/** One account record has at most as many runs in progress as there are slots free: alone, half of them. */
const SHARE = 1;

/** A run this worker is working on. Moments are epoch milliseconds. */
export interface ActiveRun {
  readonly owner: OwnerId;
  readonly since: number;
  /** When it first delivered something that no earlier attempt had begun: until then it caught up with them. */
  progressedAt: number | null;
  /** Aborted to make it yield at its next chunk. */
  readonly yielding: AbortController;
}

/** The runs in progress of one worker, and which of them yield when others wait. */
export class ActiveRuns {
  readonly #slots: number;
  readonly #sliceMs: number;
  readonly #runs = new Set<ActiveRun>();

  constructor(bounds: { readonly slots: number; readonly sliceMs: number }) {
    this.#slots = bounds.slots;
    this.#sliceMs = bounds.sliceMs;
  }

  get full(): boolean {
    return this.#runs.size >= this.#slots;
  }

  add(run: ActiveRun): void {
    this.#runs.add(run);
  }

  delete(run: ActiveRun): void {
    this.#runs.delete(run);
  }

  /** Owners that may not have another run in progress now. */
  get atTheirShare(): readonly OwnerId[] {
    const free = this.#slots - this.#runs.size;
    return [...countOf(this.#runs)].filter(([, held]) => !mayTake(held, free, SHARE)).map(([owner]) => owner);
  }

  /** Whether any run could yield at `now`. */
  anyPliable(now: number): boolean {
    return [...this.#runs].some((run) => this.#isPliable(run, now)) || this.#leastLoss(now) !== null;
  }

  /**
   * Makes one run yield for each waiting one: a run of the same owner, or of an owner with more in progress, and of
   * several the one that has been in progress longest. If there is none for an owner without runs, the one that loses
   * the least work.
   */
  makeRoom(waiting: readonly { readonly owner: OwnerId; readonly runs: number }[], now: number): void {
    const held = countOf(this.#staying());
    const gain = (owner: OwnerId): void => void held.set(owner, (held.get(owner) ?? 0) + 1);
    let asked = this.#runs.size - this.#staying().length;
    // In the order in which they will be served: the owner with the fewest comes first.
    const order = waiting.toSorted((a, b) => (held.get(a.owner) ?? 0) - (held.get(b.owner) ?? 0));
    for (const { owner, runs } of order) {
      for (let one = 0; one < runs; one++) {
        if (asked > 0) {
          // A run is already yielding, and its slot will serve this one.
          asked -= 1;
          gain(owner);
          continue;
        }
        const pliable = [...this.#runs].filter(
          (run) =>
            this.#isPliable(run, now) &&
            (run.owner === owner || (held.get(run.owner) ?? 0) > (held.get(owner) ?? 0)),
        );
        const [longest] = pliable.toSorted((a, b) => a.since - b.since);
        const chosen = longest ?? (held.has(owner) ? null : this.#leastLoss(now));
        if (chosen === null) break;
        chosen.yielding.abort();
        held.set(chosen.owner, (held.get(chosen.owner) ?? 1) - 1);
        gain(owner);
      }
    }
  }

  /**
   * A run reads its source from the beginning each time it is taken. So it yields only after it has worked on new rows
   * for as long as it took to catch up: catching up then never takes more than half of its time, and its parts grow
   * with what it has to skip.
   */
  #isPliable({ since, progressedAt, yielding }: ActiveRun, now: number): boolean {
    if (yielding.signal.aborted || progressedAt === null || !this.#hadSlice(since, now)) return false;
    return now < progressedAt || now - progressedAt >= progressedAt - since;
  }

  /**
   * The youngest run of the owner with the most in progress, though all it did will have to be done again: a few owners
   * with slow banks would otherwise keep everyone else waiting until their runs are over. No owner loses their last
   * one, and the oldest continues, so each owner's runs finish.
   */
  #leastLoss(now: number): ActiveRun | null {
    if (!this.full) return null;
    const staying = this.#staying();
    const held = countOf(staying);
    const most = Math.max(0, ...held.values());
    const [youngest] = staying
      .filter(({ owner, since }) => most > 1 && held.get(owner) === most && this.#hadSlice(since, now))
      .toSorted((a, b) => b.since - a.since);
    return youngest ?? null;
  }

  /** A clock that was set back must not keep others waiting until it has caught up. */
  #hadSlice(since: number, now: number): boolean {
    return now < since || now - since >= this.#sliceMs;
  }

  #staying(): readonly ActiveRun[] {
    return [...this.#runs].filter(({ yielding }) => !yielding.signal.aborted);
  }
}

function countOf(runs: Iterable<ActiveRun>): Map<OwnerId, number> {
  const held = new Map<OwnerId, number>();
  for (const { owner } of runs) held.set(owner, (held.get(owner) ?? 0) + 1);
  return held;
}

/** Owners for which runs yield in one check. */
const MOST_WAITING = 100;

interface RunsOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly notices: Pick<Notices, 'onNotice' | 'onLost'>;
  readonly engine: SyncEngine;
  readonly limits: Pick<Limits, 'runs_at_once' | 'run_slice_seconds' | 'run_retry_seconds'>;
  /** Whether no other process can be working: then every lease found at the start is a dead one's. */
  readonly alone: boolean;
  /** By default, no traces. */
  readonly tracing?: Tracing;
}

/**
 * Works on runs, shared out by account record (docs/sync-engine.md, Sharing workers). The runs themselves are the
 * queue: every open run without a worker is taken, also when the worker that had it died.
 */
export class Runs {
  readonly #options: RunsOptions;
  readonly #looking: Periodic;
  readonly #stopping = new AbortController();
  readonly #working = new Set<Promise<void>>();
  readonly #active: ActiveRuns;
  #looks: Promise<void> = Promise.resolve();
  #lookWanted = false;

  constructor(options: RunsOptions) {
    this.#options = options;
    const { runs_at_once: slots, run_slice_seconds: slice } = options.limits;
    this.#active = new ActiveRuns({ slots, sliceMs: slice * 1000 });
    this.#looking = new Periodic(options, 'waiting runs', () => this.look());
  }

  async start(): Promise<void> {
    const { db, notices, alone } = this.#options;
    if (alone) await voidLeases(db, new Date(0));
    notices.onNotice(({ kind }) => {
      if (kind === 'sync_runs') this.#wake();
    });
    notices.onLost(() => this.#wake());
    this.#looking.start();
  }

  /**
   * Makes the runs in progress stop at their next chunk and waits for them; the next start continues them. A run that
   * does not stop within the deadline is left as if the process had died, which only costs the wait for its lease.
   */
  async stop(deadlineMs: number): Promise<void> {
    this.#stopping.abort();
    await this.#looking.stop();
    const done = new AbortController();
    const late = this.#options.clock.sleep(deadlineMs, done.signal).catch(() => undefined);
    // A check that fails because the database is unreachable ends the checks as well.
    const looked = this.#looks.catch(() => undefined);
    await Promise.race([looked.then(() => Promise.allSettled(this.#working)), late]);
    done.abort();
  }

  /** Takes runs while there are free slots, and makes others yield for those that wait. Raises what storage raises. */
  look(): Promise<void> {
    // One check at a time, so that two never assign the same slot; a request meanwhile is followed by another check.
    if (this.#lookWanted) return this.#looks;
    this.#lookWanted = true;
    const look = this.#looks
      .catch(() => undefined)
      .then(() => {
        this.#lookWanted = false;
        return this.#lookOnce();
      });
    this.#looks = look;
    return look;
  }

  #wake(): void {
    if (this.#stopping.signal.aborted) return;
    withRequestId(null, () =>
      this.look().catch((error: unknown) => this.#options.log.warn('Failed to find queued runs.', {}, error)),
    );
  }

  async #lookOnce(): Promise<void> {
    const { db, clock, engine } = this.#options;
    while (!this.#active.full && !this.#stopping.signal.aborted) {
      const taken = await engine.take({ except: this.#active.atTheirShare });
      if (taken === null) break;
      this.#work(taken);
    }
    if (this.#stopping.signal.aborted || !this.#active.anyPliable(clock.now())) return;
    this.#active.makeRoom(await waitingRuns(db, new Date(clock.now()), MOST_WAITING), clock.now());
  }

  #work(taken: TakenRun): void {
    const { clock, engine, limits, log } = this.#options;
    const active: ActiveRun = {
      owner: taken.run.account_record,
      since: clock.now(),
      progressedAt: null,
      yielding: new AbortController(),
    };
    this.#active.add(active);
    const stopping = AbortSignal.any([this.#stopping.signal, active.yielding.signal]);
    const progressed = () => {
      active.progressedAt ??= clock.now();
    };
    const work = () => engine.work(taken, { stopping, progressed });
    const { tracing = NO_TRACING } = this.#options;
    const attempt = inRoot(tracing, rootOf(taken, clock.now()), (span) => {
      span?.ownedBy(publicId('account_record', taken.run.account_record));
      return withRetryBudget(limits.run_retry_seconds * 1000, work).catch((error: unknown) => {
        span?.fail(failureType(error));
        log.error('a run was cut off', { run: publicId('sync_run', taken.run.id) }, error);
      });
    }).finally(() => {
      this.#active.delete(active);
      this.#working.delete(attempt);
      this.#wake();
    });
    this.#working.add(attempt);
  }
}

/** One attempt at a run. It begins within moments of the request that queued it, unless others come first. */
function rootOf({ run }: TakenRun, now: number): RootSpan {
  return {
    name: 'sync run',
    kind: 'consumer',
    requestId: run.request_id,
    place: placeOf(run.fence, now - run.created.getTime()),
    attributes: {
      'tributary.run': publicId('sync_run', run.id),
      'tributary.sync': publicId('sync', run.sync),
      'tributary.trigger': run.trigger,
      'tributary.attempt': run.fence,
    },
  };
}
