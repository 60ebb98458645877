/** So long a worker has for its fetch before the next one is woken. */
const APART_MS = 20;

/** What pg-boss says of its workers and lets be done to them. */
export interface Workers {
  getWipData(): readonly {
    readonly id: string;
    readonly name: string;
    /** How many jobs it has in hand. */
    readonly count: number;
  }[];
  notifyWorker(id: string): void;
}

/**
 * Wakes the workers of a queue in this process, one after another. Woken at the same moment, all would fetch before any
 * knew what the others take: more of one owner than its share, which goes back, so that with each wake-up the jobs of
 * others are passed over (decision 0013). It stands in for the LISTEN of pg-boss: a NOTIFY with every job would make each
 * commit wait for every other one that has a job.
 */
export class WakeUps {
  readonly #workers: Workers;
  /** The queues whose workers are being woken, and whether they have to be once more. */
  readonly #waking = new Map<string, { again: boolean }>();
  readonly #timers = new Set<NodeJS.Timeout>();
  #stopped = false;

  constructor(workers: Workers) {
    this.#workers = workers;
  }

  /** Makes every idle worker of the queue fetch a job soon, and every busy one as soon as it is done. */
  wake(queue: string): void {
    if (this.#stopped) return;
    const waking = this.#waking.get(queue);
    if (waking !== undefined) {
      waking.again = true;
      return;
    }
    const workers = this.#workers.getWipData().filter(({ name }) => name === queue);
    for (const { id, count } of workers) if (count > 0) this.#workers.notifyWorker(id);
    const idle = workers.filter(({ count }) => count === 0).map(({ id }) => id);
    this.#waking.set(queue, { again: false });
    this.#wakeNext(queue, idle);
  }

  /** Wakes nobody any more. */
  stop(): void {
    this.#stopped = true;
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
  }

  #wakeNext(queue: string, [next, ...others]: readonly string[]): void {
    if (next === undefined) {
      const again = this.#waking.get(queue)?.again === true;
      this.#waking.delete(queue);
      if (again) this.wake(queue);
      return;
    }
    this.#workers.notifyWorker(next);
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      this.#wakeNext(queue, others);
    }, APART_MS);
    this.#timers.add(timer);
  }
}
