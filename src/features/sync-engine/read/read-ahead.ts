/**
 * The items of a source with the next one already on its way while the caller is busy with the current one. One item
 * ahead and no more, so memory holds two. A caller that leaves early aborts what the source waits for.
 */
export async function* readAhead<T>(
  open: (signal: AbortSignal) => AsyncIterable<T>,
  signal: AbortSignal,
): AsyncGenerator<T> {
  const leaving = new AbortController();
  const iterator = open(AbortSignal.any([signal, leaving.signal]))[Symbol.asyncIterator]();
  let next = begin(iterator);
  try {
    for (;;) {
      const result = await next;
      if (result.done === true) return;
      next = begin(iterator);
      yield result.value;
    }
  } finally {
    leaving.abort();
    await iterator.return?.().catch(() => undefined);
  }
}

/** A failure is reported where the item is awaited; until then it is unhandled on purpose. */
function begin<T>(iterator: AsyncIterator<T>): Promise<IteratorResult<T>> {
  const next = iterator.next();
  next.catch(() => undefined);
  return next;
}
