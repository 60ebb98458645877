/** When callers were last used, written down once in a while and not once a request. */
export class LastUses<Id extends string> {
  readonly #write: (used: ReadonlyMap<Id, Date>) => Promise<void>;
  #used = new Map<Id, number>();

  constructor(write: (used: ReadonlyMap<Id, Date>) => Promise<void>) {
    this.#write = write;
  }

  /** @param now epoch milliseconds */
  note(id: Id, now: number): void {
    this.#used.set(id, now);
  }

  /** Writes what was used since the last call. What could not be written is there for the next. */
  async flush(): Promise<void> {
    const used = this.#used;
    this.#used = new Map();
    try {
      await this.#write(new Map([...used].map(([id, at]) => [id, new Date(at)])));
    } catch (error) {
      this.#used = new Map([...used, ...this.#used]);
      throw error;
    }
  }
}
