const TELL_MS = 200;

/** How many rows a read has brought so far, reported a few times a second however fast they come. */
export class ReadCounter {
  #count = 0;
  #reported = 0;
  #reportedAt = 0;
  readonly #listeners = new Set<() => void>();

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly get = (): number => this.#reported;

  start(): void {
    this.#count = 0;
    this.#tell(performance.now());
  }

  add(): void {
    this.#count += 1;
    // Asking for the time at every row would cost more than the row.
    if (this.#count % 100 !== 0) return;
    const now = performance.now();
    if (now - this.#reportedAt >= TELL_MS) this.#tell(now);
  }

  #tell(now: number): void {
    this.#reported = this.#count;
    this.#reportedAt = now;
    for (const listener of this.#listeners) listener();
  }
}
