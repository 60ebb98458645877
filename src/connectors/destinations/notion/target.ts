import { DestinationFailure } from '../destination-failure.ts';
import type { NotionApi } from './api.ts';
import { type Column, idColumn, markOf, planColumns } from './columns.ts';
import { type DataSourceAnswer, isTrashed } from './wire.ts';

/** Where rows are written: the data source of a database, and which of its properties show which fields. */
export interface Target {
  readonly source: string;
  readonly columns: readonly Column[];
  /** Id of the property that holds the ids of rows. */
  readonly idProperty: string;
}

/** A database by its id. @throws DestinationFailure `destination_resource_missing` for one that is gone or in the trash */
export async function openTarget(api: NotionApi, database: string, signal: AbortSignal): Promise<Target> {
  const found = await api.database(database, signal);
  if (isTrashed(found)) throw missing('is in the trash');
  const source = await chosenSource(api, found.data_sources, signal);
  const { columns, change } = planColumns(source);
  if (change === null) return targetOf(source, columns);
  const changed = await api.changeProperties(source.id, change, signal);
  return targetOf(changed, planColumns(changed).columns);
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
