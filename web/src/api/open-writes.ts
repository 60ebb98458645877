/** A write that was asked for and has no answer yet. */
interface OpenWrite {
  readonly number: number;
  /** Whether it goes on when the page is left. */
  readonly stays: boolean;
  readonly abandoned: AbortController;
}

const open = new Set<OpenWrite>();
let begun = 0;

/**
 * Registers a write until `done` is called. `abandoned` is aborted when the person no longer waits for it, which never
 * happens to one that `stays`.
 */
export function openWrite(stays: boolean): { readonly abandoned: AbortSignal; readonly done: () => void } {
  begun += 1;
  const write = { number: begun, stays, abandoned: new AbortController() };
  open.add(write);
  return { abandoned: write.abandoned.signal, done: () => open.delete(write) };
}

/** How many writes were begun so far. */
export function writesBegun(): number {
  return begun;
}

/**
 * The person has left the page or cancelled: writes that the service has refused so far because of too many requests
 * are not sent again. One that is being sent may be done nevertheless. @param after how many writes had begun before
 * what is cancelled
 */
export function abandonWrites(after = 0): void {
  for (const { number, stays, abandoned } of open) if (!stays && number > after) abandoned.abort();
}
