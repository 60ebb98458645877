import type { Clock } from '../../../platform/clock.ts';
import type { TransactionField } from '../../../vocabulary/row-fields.ts';
import { DestinationFailure } from '../destination-failure.ts';
import { FILTER_IDS, type NotionApi } from './client.ts';
import { type Column, type ColumnPlan, clash, idColumn, markOf, planColumns, shownText } from './columns.ts';
import { type DataSourceAnswer, isTrashed, type RowAnswer } from './wire.ts';

/** Where rows are written: the data source of a database, and which of its properties show which fields. */
export interface Target {
  readonly source: string;
  readonly columns: readonly Column[];
  /** Id of the property that holds the ids of rows. */
  readonly idProperty: string;
}

/**
 * A database by its id. @throws DestinationFailure `destination_resource_missing` for one that is gone or in the trash
 *
 * @param chosen fields that are shown; null for the standard ones
 */
export async function openTarget(
  api: NotionApi,
  database: string,
  chosen: readonly TransactionField[] | null,
  signal: AbortSignal,
): Promise<Target> {
  const source = await sourceOf(api, database, signal);
  const { plan, theirs } = await ownColumns(api, source, chosen, signal);
  const [misfit] = plan.unfit;
  if (misfit !== undefined) throw clash(misfit);
  if (plan.change === null) return targetOf(source, plan.columns);
  const changed = await api.changeProperties(source.id, plan.change, signal);
  return targetOf(changed, planColumns(changed, chosen, theirs).columns);
}

/** The same for reading: unchanged, and null if it has no property for the ids of rows. */
export async function findTarget(
  api: NotionApi,
  database: string,
  chosen: readonly TransactionField[] | null,
  signal: AbortSignal,
): Promise<FoundTarget> {
  const source = await sourceOf(api, database, signal);
  const { plan } = await ownColumns(api, source, chosen, signal);
  return { plan, target: idColumn(source) === null ? null : targetOf(source, plan.columns) };
}

interface FoundTarget {
  readonly target: Target | null;
  readonly plan: ColumnPlan;
}

/** A property identified only by its name is left to the person if a row of ours has something in it. */
async function ownColumns(
  api: NotionApi,
  source: DataSourceAnswer,
  chosen: readonly TransactionField[] | null,
  signal: AbortSignal,
): Promise<{ readonly plan: ColumnPlan; readonly theirs: ReadonlySet<string> }> {
  const plan = planColumns(source, chosen);
  const theirs = new Set<string>();
  for (const { id, kind } of plan.unsure) {
    const ids = plan.columns.find(({ field }) => field === 'transaction_id')?.id;
    if (ids !== undefined && (await api.isFilled(source.id, ids, { id, kind }, signal))) theirs.add(id);
  }
  return { plan: theirs.size === 0 ? plan : planColumns(source, chosen, theirs), theirs };
}

async function sourceOf(api: NotionApi, database: string, signal: AbortSignal): Promise<DataSourceAnswer> {
  const found = await api.database(database, signal);
  if (isTrashed(found)) throw missing('is in the trash');
  return chosenSource(api, found.data_sources, signal);
}

/**
 * The only data source; of several, the one that rows were written to before, else the first with their ids, else the
 * first.
 */
async function chosenSource(
  api: NotionApi,
  listed: readonly { readonly id: string }[],
  signal: AbortSignal,
): Promise<DataSourceAnswer> {
  const mark = markOf('transaction_id');
  let named: DataSourceAnswer | null = null;
  let first: DataSourceAnswer | null = null;
  for (const { id } of listed) {
    const source = await api.dataSource(id, signal);
    if (isTrashed(source)) continue;
    first ??= source;
    const ids = idColumn(source);
    if (ids?.description?.startsWith(mark) === true) return source;
    if (ids !== null) named ??= source;
  }
  const chosen = named ?? first;
  if (chosen === null) throw missing('has no data source');
  return chosen;
}

function targetOf({ id: source }: DataSourceAnswer, columns: readonly Column[]): Target {
  const ids = columns.find(({ field }) => field === 'transaction_id');
  if (ids === undefined) {
    throw new DestinationFailure('run_failed', 'Notion did not add the property for the ids of rows.', {
      outcome: 'refused',
      retryable: true,
    });
  }
  return { source, columns, idProperty: ids.id };
}

function missing(what: string): DestinationFailure {
  return new DestinationFailure('destination_resource_missing', `The Notion database ${what}.`, {
    outcome: 'refused',
    retryable: false,
  });
}

/** Whether rows are written to the same properties of the same data source. */
export function isSameTarget(one: Target, other: Target): boolean {
  const text = ({ source, columns }: Target): string =>
    JSON.stringify([source, columns.map(({ field, id, kind }) => [field, id, kind])]);
  return text(one) === text(other);
}

/** Queries may not show what was just written: how long to wait before each further query. */
const LAG_WAITS_MS = [5_000, 15_000] as const;
export const QUERY_LAG_MS = LAG_WAITS_MS.reduce((sum, wait) => sum + wait, 0);
/** Notion's times have minute precision. */
const MINUTE_MS = 60_000;

/** The pages of rows in a data source, by the ids of the rows. */
export class ExistingPages {
  readonly #api: NotionApi;
  readonly #clock: Clock;

  constructor(api: NotionApi, clock: Clock) {
    this.#api = api;
    this.#clock = clock;
  }

  /**
   * By the ids that they show; those with the same id, oldest first. @param show ids of the properties to read; that of
   * the ids is always among them
   */
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
          // The filter may compare less strictly than ids require.
          if (wanted.has(id)) found.set(id, [...(found.get(id) ?? []), page]);
        }
        cursor = answer.has_more ? answer.next_cursor : null;
      } while (cursor !== null);
    }
    for (const pages of found.values()) pages.sort((one, other) => (isBefore(one, other) ? -1 : 1));
    return found;
  }

  /**
   * After an unknown outcome: a row counts as missing only if it is still missing 20 seconds later.
   *
   * @param missing the ids still to look for, given what was found
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

/** Whether a page certainly existed at that time. @param moment epoch milliseconds */
export function isOlder({ created_time: created }: RowAnswer, moment: number): boolean {
  return Date.parse(created) + MINUTE_MS <= moment;
}

/** Of two created in the same minute, always the same one. */
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
