import type { TransactionField } from '../../../vocabulary/row-fields.ts';
import { DestinationFailure } from '../destination-failure.ts';
import type { NotionApi } from './client.ts';
import { type Column, type ColumnPlan, clash, idColumn, markOf, planColumns } from './columns.ts';
import { type DataSourceAnswer, isTrashed } from './wire.ts';

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

/** The same for reading: as it is, and no target where it has no property for the ids of rows. */
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

/** A property that only its name makes ours is left to the person where a row of ours shows something in it. */
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

/** The only data source; of several the one that rows were written to before, else the first with their ids, else the first. */
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
