/** Lets one at a time, in the order in which they asked. Whoever takes the turn gives it back once. */
export class Turn {
  readonly #waiting: (() => void)[] = [];
  #taken = false;

  /** Resolves when it is the caller's turn. */
  take(): Promise<void> {
    if (this.#taken) return new Promise((resolve) => this.#waiting.push(resolve));
    this.#taken = true;
    return Promise.resolve();
  }

  give(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#taken = false;
    else next();
  }
}
