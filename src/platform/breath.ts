/** How long work may keep the thread to itself. */
const BREATH_MS = 10;

/** Lets others have the thread between the steps of long work that waits for nothing. */
export class Breath {
  #since = performance.now();

  /** Whether a step more would be one too many. */
  get due(): boolean {
    return performance.now() - this.#since >= BREATH_MS;
  }

  async take(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    this.#since = performance.now();
  }
}
