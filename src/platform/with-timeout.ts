/** How long an answer that came in time may take to be read. */
const UNREAD_MS = 50;

/**
 * Calls `expire` when `ms` have passed without an answer; returns a function that ends the wait. After a computation as
 * long as the deadline, the answer may have arrived without having been read: the event loop reads from its sockets
 * again before `expire` is called.
 */
export function afterDeadline(ms: number, expire: () => void): () => void {
  let reading: NodeJS.Immediate | undefined;
  // Timers may run one after the other without reading in between; what setImmediate calls comes after reading.
  const late = (): void => {
    timer = setTimeout(() => {
      reading = setImmediate(expire);
    }, UNREAD_MS);
  };
  let timer = setTimeout(late, ms);
  return () => {
    clearTimeout(timer);
    clearImmediate(reading);
  };
}

/** The answer, or a rejection when it takes longer than `ms`: a stalled server must not stall its caller. */
export async function withTimeout<T>(answer: Promise<T>, ms: number): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const answered = afterDeadline(ms, () => reject(new Error(`no answer within ${ms} ms`)));
  try {
    return await Promise.race([answer, late]);
  } finally {
    answered();
  }
}
