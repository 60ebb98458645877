import type { Clock } from '../../../platform/clock.ts';
import { DestinationFailure } from '../destination-failure.ts';
import { shownText } from './cells.ts';
import { FILTER_IDS, type NotionApi } from './client.ts';
import type { Target } from './target.ts';
import type { RowAnswer } from './wire.ts';

/** Queries may trail what was just written: how long to wait before each further question. */
const LAG_WAITS_MS = [5_000, 15_000] as const;
export const QUERY_LAG_MS = LAG_WAITS_MS.reduce((sum, wait) => sum + wait, 0);
/** Notion's times are those of the minute. */
const MINUTE_MS = 60_000;

/** The pages of rows that are in a data source, by the ids of the rows. */
export class ExistingPages {
  readonly #api: NotionApi;
  readonly #clock: Clock;

  constructor(api: NotionApi, clock: Clock) {
    this.#api = api;
    this.#clock = clock;
  }

  /** By the ids that they show, those with the same id oldest first. @param show ids of the properties to read; that of the ids is always among them */
  async find(
    { source, idProperty }: Target,
    ids: readonly string[],
    show: readonly string[],
    signal: AbortSignal,
  ): Promise<Map<string, RowAnswer[]>> {
    const found = new Map<string, RowAnswer[]>();
    const wanted = new Set(ids);
    const shown = [...new Set([idProperty, ...show])];
    for (let at = 0; at < ids.length; at += FILTER_IDS) {
      const texts = ids.slice(at, at + FILTER_IDS);
      let cursor: string | null = null;
      do {
        const query = { source, property: idProperty, texts, show: shown, cursor };
        const answer: Awaited<ReturnType<NotionApi['rowsWith']>> = await this.#api.rowsWith(query, signal);
        if (answer.request_status?.type === 'incomplete') throw incomplete();
        for (const page of answer.results) {
          const id = idOf(page, idProperty);
          // The filter may compare more loosely than ids do.
          if (wanted.has(id)) found.set(id, [...(found.get(id) ?? []), page]);
        }
        cursor = answer.has_more ? answer.next_cursor : null;
      } while (cursor !== null);
    }
    for (const pages of found.values()) pages.sort((one, other) => (isBefore(one, other) ? -1 : 1));
    return found;
  }

  /**
   * After an outcome that nobody knows: a row counts as missing only when it is still missing 20 seconds later.
   *
   * @param missing the ids to look for again after what was found
   */
  async findForSure(
    target: Target,
    ids: readonly string[],
    missing: (found: ReadonlyMap<string, readonly RowAnswer[]>) => readonly string[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, readonly RowAnswer[]>> {
    const found = await this.find(target, ids, [], signal);
    for (const wait of LAG_WAITS_MS) {
      const lacking = missing(found);
      if (lacking.length === 0) break;
      await this.#clock.sleep(wait, signal);
      for (const [id, pages] of await this.find(target, lacking, [], signal)) found.set(id, pages);
    }
    return found;
  }
}

/** Whether a page certainly was there at that moment. @param moment epoch milliseconds */
export function isOlder({ created_time: created }: RowAnswer, moment: number): boolean {
  return Date.parse(created) + MINUTE_MS <= moment;
}

/** Of two made in the same minute, it is always the same one. */
function isBefore(one: RowAnswer, other: RowAnswer): boolean {
  const [a, b] = [one.created_time + one.id, other.created_time + other.id];
  return a < b;
}

function idOf({ properties }: RowAnswer, idProperty: string): string {
  const cell = Object.values(properties).find(({ id }) => id === idProperty);
  return cell === undefined ? '' : shownText(cell);
}

function incomplete(): DestinationFailure {
  return new DestinationFailure('run_failed', 'Notion did not answer with all rows of some ids.', {
    outcome: 'refused',
    retryable: false,
  });
}
