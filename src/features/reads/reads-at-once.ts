import { bulkhead, type IPolicy } from 'cockatiel';
import type { Clock } from '../../platform/clock.ts';
import type { Limits } from '../../vocabulary/limits.ts';
import { ServiceError } from '../../vocabulary/service-error.ts';

/** How many reads of one answer run at the same time; other callers need the provider as well. */
const AT_ONCE = 8;
/** The same with slow ones: a bank that hangs must not use up all slots of the provider. */
export const AT_MOST = 24;
/** A read that has taken this part of the deadline is slow: it continues beside the others and delays none of them. */
const SLOW_PART = 10;

export interface ReadsAtOnceDependencies {
  readonly clock: Clock;
  readonly limits: Limits;
}

/** The reads of many accounts for one answer, which share a few slots. */
export class ReadsAtOnce {
  readonly #deps: ReadsAtOnceDependencies;
  readonly #quick: IPolicy;
  readonly #all: IPolicy;

  /** @param most how many reads there will be */
  constructor(deps: ReadsAtOnceDependencies, most: number) {
    this.#deps = deps;
    this.#quick = bulkhead(AT_ONCE, most);
    this.#all = bulkhead(AT_MOST, most);
  }

  /** Runs `read` when a slot is free. Raises what it raises. */
  run<T>(read: () => Promise<T>): Promise<T> {
    return this.#all.execute(async () => {
      const { begun } = await this.#quick.execute(() => this.#begin(read));
      return begun;
    });
  }

  /** The read, once it has ended or turned out slow; in an object, so that no one waits for its end here. */
  async #begin<T>(read: () => Promise<T>): Promise<{ readonly begun: Promise<T> }> {
    const { clock, limits } = this.#deps;
    const begun = read();
    const ended = new AbortController();
    const end = () => ended.abort();
    begun.then(end, end);
    await clock.sleep(limits.read_deadline_ms / SLOW_PART, ended.signal).catch(() => undefined);
    return { begun };
  }
}

/** What all reads of one answer together get: the deadline of one read. */
export class SharedDeadline {
  readonly #done = new AbortController();
  /** Aborts with `upstream_timeout` once it has passed, or as the caller's own signal does. */
  readonly signal: AbortSignal;

  constructor({ clock, limits }: ReadsAtOnceDependencies, caller: AbortSignal) {
    const late = new AbortController();
    clock.sleep(limits.read_deadline_ms, this.#done.signal).then(
      () => late.abort(new ServiceError('upstream_timeout')),
      () => undefined,
    );
    this.signal = AbortSignal.any([caller, late.signal]);
  }

  /** To be called once nothing waits for it any more. */
  end(): void {
    this.#done.abort();
  }
}
