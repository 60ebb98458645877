/** One request that the simulator received. `status` is null when no answer was sent. */
export type LoggedRequest = {
  readonly at: number;
  readonly method: string;
  readonly path: string;
  readonly status: number | null;
};

const KEPT = 10_000;

/** The latest requests, without queries, headers or bodies. */
export class RequestLog {
  #entries: LoggedRequest[] = [];

  add(entry: LoggedRequest): void {
    this.#entries.push(entry);
    if (this.#entries.length > 2 * KEPT) this.#entries = this.#entries.slice(-KEPT);
  }

  list(): readonly LoggedRequest[] {
    return this.#entries.slice(-KEPT);
  }

  clear(): void {
    this.#entries = [];
  }
}
