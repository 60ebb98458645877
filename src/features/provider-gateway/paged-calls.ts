import type { partyOf, UpstreamCalls } from './upstream-calls.ts';

type Party = ReturnType<typeof partyOf>;

/**
 * Pages of a read that may go on for hours: the deadline of a read holds for each page, not for all of them. `open`
 * starts the read and gets the signal that ends it. Raises ServiceError.
 */
export async function* explainedPages<T>(
  calls: UpstreamCalls,
  party: Party,
  open: (signal: AbortSignal) => AsyncGenerator<T[]>,
  signal: AbortSignal,
): AsyncGenerator<T[]> {
  const ended = new AbortController();
  const pages = open(AbortSignal.any([signal, ended.signal]));
  try {
    for (;;) {
      const next = await calls.explained(party, signal, () =>
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

/** The pages of an adapter, each counted as one call of the party. Raises what the adapter raises. */
export async function* countedPages<T>(
  calls: UpstreamCalls,
  party: Party,
  pages: AsyncIterable<T[]>,
  signal: AbortSignal,
): AsyncGenerator<T[]> {
  const iterator = pages[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await calls.counted(party, signal, () => iterator.next());
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    iterator.return?.()?.catch(() => undefined);
  }
}
