/**
 * A lock with one holder at a time, granted in the order of requests. Each `acquire` that resolves needs one `release`.
 */
export class Mutex {
  readonly #waiting: (() => void)[] = [];
  #locked = false;

  /** Resolves when the caller has the lock. Rejects with MutexTimeout if that takes longer than `ms` milliseconds. */
  acquire(ms = Number.POSITIVE_INFINITY): Promise<void> {
    if (!this.#locked) {
      this.#locked = true;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      let timer: NodeJS.Timeout | undefined;
      const acquired = (): void => {
        clearTimeout(timer);
        resolve();
      };
      this.#waiting.push(acquired);
      if (ms === Number.POSITIVE_INFINITY) return;
      timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(acquired), 1);
        reject(new MutexTimeout(ms));
      }, ms);
    });
  }

  release(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#locked = false;
    else next();
  }
}

export class MutexTimeout extends Error {
  override readonly name = 'MutexTimeout';

  constructor(ms: number) {
    super(`the lock was not acquired within ${ms} ms`);
  }
}
