/** Well above what an account trades on one day. */
const MOST_IDS = 50_000;

/**
 * Ids of the trades of one day that were passed on while the day was still being read, in bounded memory: past the bound
 * nothing is remembered, and the day cannot be read again without repeating trades.
 */
export class PassedOn {
  readonly #ids = new Set<string>();
  #forgotten = false;

  /** False once there were more ids than are remembered. */
  get isComplete(): boolean {
    return !this.#forgotten;
  }

  /** Whether the id is new, as far as ids are remembered; it is remembered either way. */
  add(id: string): boolean {
    if (this.#ids.has(id)) return false;
    if (this.#ids.size >= MOST_IDS) {
      this.#ids.clear();
      this.#forgotten = true;
    }
    if (!this.#forgotten) this.#ids.add(id);
    return true;
  }
}
