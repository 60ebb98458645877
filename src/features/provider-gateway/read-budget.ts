import type { Limits } from '../../vocabulary/limits.ts';
import { UpstreamFailure } from '../../vocabulary/upstream-failures.ts';

/** Ends a read of a provider whose pages do not: by number, by rows, and by pages that bring nothing asked for. */
export class ReadBudget {
  readonly #limits: Pick<Limits, 'read_rows' | 'read_pages' | 'read_idle_pages' | 'pending_rows'>;
  #rows = 0;
  #pages = 0;
  #idle = 0;
  #pending = 0;

  constructor(limits: Pick<Limits, 'read_rows' | 'read_pages' | 'read_idle_pages' | 'pending_rows'>) {
    this.#limits = limits;
  }

  /** Counts a page, of which `wanted` rows were asked for. Raises UpstreamFailure `malformed` past a bound. */
  spend(page: { readonly rows: number; readonly wanted: number; readonly pending: number }): void {
    const { read_rows, read_pages, read_idle_pages, pending_rows } = this.#limits;
    this.#pages += 1;
    this.#rows += page.rows;
    this.#idle = page.wanted === 0 ? this.#idle + 1 : 0;
    this.#pending += page.pending;
    if (this.#pages > read_pages || this.#rows > read_rows) throw endless('its pages do not end');
    if (this.#idle > read_idle_pages) throw endless('its pages bring nothing that was asked for');
    if (this.#pending > pending_rows) throw endless('it reports too many pending transactions');
  }
}

function endless(what: string): UpstreamFailure {
  return new UpstreamFailure('malformed', `The answer could not be used: ${what}.`);
}
