import { ServiceError } from '../../../vocabulary/service-error.ts';
import type { SetAside } from '../../../vocabulary/set-aside-rows.ts';
import type { SyncType } from '../../../vocabulary/syncs.ts';
import type { ReadPlan } from './reading-plan.ts';
import { isPending, rowPages, type SourceRow } from './source-row.ts';
import type { SourceAccount } from './sync-source.ts';

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
