import { localDateAt } from '../../../vocabulary/moments.ts';
import { ServiceError } from '../../../vocabulary/service-error.ts';
import type { SetAside } from '../../../vocabulary/set-aside-rows.ts';
import type { SyncType } from '../../../vocabulary/syncs.ts';
import type { ReadPlan } from './reading-plan.ts';
import { isPending, type SourceRow } from './source-row.ts';
import type { SourceAccount, SourceWindow } from './sync-source.ts';

/** Rows of the window, of the kind that the sync delivers. */
export function rowPages(
  source: SourceAccount,
  type: SyncType,
  window: SourceWindow,
  signal: AbortSignal,
): AsyncIterable<readonly SourceRow[]> {
  return type === 'trades' ? source.trades(tradeDays(source, window), signal) : source.pages(window, signal);
}

/** A broker does not say when it recorded a trade: its day stands in for the moment. */
function tradeDays({ timezone }: SourceAccount, { from, to, since, setAside }: SourceWindow) {
  const recorded = since === null ? from : localDateAt(since, timezone);
  return { from: recorded > from ? recorded : from, to, setAside };
}

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

/** The rows of a plan, and what may be concluded from them once they were read to their end. */
export class PlannedPages {
  readonly #source: SourceAccount;
  readonly #type: SyncType;
  readonly #plan: ReadPlan;
  readonly #setAside: SetAside;
  #expected: ReadPlan['expected'];

  /** @param setAside takes rows that cannot be read, as pages come in: before the page they were on is given out */
  constructor(source: SourceAccount, type: SyncType, plan: ReadPlan, setAside: SetAside) {
    this.#setAside = setAside;
    this.#source = source;
    this.#type = type;
    this.#plan = plan;
    this.#expected = plan.expected;
  }

  get concluded(): Pick<ReadPlan, 'expected' | 'everything'> {
    return { expected: this.#expected, everything: this.#plan.everything };
  }

  /** A bank that refuses the days before the sync's first one is read from that day. Raises what the source raises. */
  async *read(signal: AbortSignal): AsyncGenerator<readonly SourceRow[]> {
    const { within } = this.#plan;
    const setAside = this.#setAside;
    const window = { ...this.#plan.window, setAside };
    let pending = false;
    let settled = false;
    try {
      for await (const page of rowPages(this.#source, this.#type, window, signal)) {
        pending ||= page.some(isPending);
        settled ||= !page.every(isPending);
        yield page;
      }
    } catch (error) {
      if (within === null || settled || !isRefused(error)) throw error;
      this.#expected = within.expected;
      // Pending rows come before the window counts.
      const includePending = within.window.includePending && !pending;
      yield* rowPages(this.#source, this.#type, { ...within.window, includePending, setAside }, signal);
    }
  }
}

function isRefused(error: unknown): boolean {
  return error instanceof ServiceError && error.code === 'upstream_bad_request';
}
