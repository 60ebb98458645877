import type { Limits } from '../../vocabulary/limits.ts';
import { UpstreamFailure } from '../../vocabulary/upstream-failures.ts';
import type { integrationOf, UpstreamCalls } from './upstream-calls.ts';

type Integration = ReturnType<typeof integrationOf>;

/**
 * Pages of a read that may go on for hours: the deadline of a read holds for each page, not for all of them. `open`
 * starts the read and gets the signal that ends it. Raises ServiceError.
 */
export async function* explainedPages<T>(
  calls: UpstreamCalls,
  integration: Integration,
  open: (signal: AbortSignal) => AsyncGenerator<T[]>,
  signal: AbortSignal,
): AsyncGenerator<T[]> {
  const ended = new AbortController();
  const pages = open(AbortSignal.any([signal, ended.signal]));
  try {
    for (;;) {
      const next = await calls.explained(integration, signal, () =>
        calls
          .within(signal, () => pages.next())
          .catch((error: unknown) => {
            // The adapter learns of a missed deadline by its signal, and the breaker by the adapter.
            ended.abort(error);
            throw error;
          }),
      );
      if (next.done === true) return;
      if (next.value.length > 0) yield next.value;
    }
  } finally {
    ended.abort();
    // Not waited for: an adapter that does not heed its signal must not hold the caller.
    pages.return(undefined).catch(() => undefined);
  }
}

/** The pages of an adapter, each counted as one call of the integration. Raises what the adapter raises. */
export async function* countedPages<T>(
  calls: UpstreamCalls,
  integration: Integration,
  pages: AsyncIterable<T[]>,
  signal: AbortSignal,
): AsyncGenerator<T[]> {
  const iterator = pages[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await calls.counted(integration, signal, () => iterator.next());
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    iterator.return?.()?.catch(() => undefined);
  }
}

/** Rows of a page as the cap counts them. */
const PAGE_ROWS = 1000;

/**
 * Ends a read after so many pages of the provider. A page is one of up to 1,000 rows: vendors with smaller pages give as
 * many of them as it takes to begin the last, or their accounts would end after a few hundred rows.
 */
export class PageCap {
  readonly #most: number;
  #pages = 0;
  #rows = 0;

  /** @param most pages; Infinity for no cap */
  constructor(most: number) {
    this.#most = most;
  }

  /** Whether the read ends with this page, which holds so many rows. */
  endsWith(rows: number): boolean {
    this.#pages += 1;
    this.#rows += rows;
    return this.#pages >= this.#most && this.#rows > (this.#most - 1) * PAGE_ROWS;
  }
}

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
