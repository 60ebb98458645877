import type { CreatedTarget, CreationRequest } from '../destination-contract.ts';
import { DestinationFailure } from '../destination-failure.ts';
import type { NotionApi } from './client.ts';
import { idColumn, newProperties } from './columns.ts';
import { isTrashed } from './wire.ts';

/** How many pages of a listing are searched, of 100 items each. */
const MOST_LISTED = 10;
/** The maximum length of a database's name. */
const NAME_LENGTH = 2_000;

/**
 * Creates a database with our properties on a page that the person shared: the parent they chose, else the oldest
 * shared one that is not a row. The key is in the description of its first property, where a later attempt finds it.
 */
export async function makeDatabase(
  api: NotionApi,
  { key, again, name, parent, target }: CreationRequest,
  signal: AbortSignal,
): Promise<CreatedTarget> {
  if (target !== null) return { target, mappings: [] };
  if (again) {
    const made = await searched(api, key, name, signal);
    if (made !== null) return { target: { database_id: made }, mappings: [] };
  }
  const page = parent ?? (await sharedPage(api, signal));
  // Searches may not show what was just created; a page shows it at once.
  const there = again ? await onPage(api, page, key, name, signal) : null;
  if (there !== null) return { target: { database_id: there }, mappings: [] };
  const wanted = { parent: page, title: name.slice(0, NAME_LENGTH), properties: newProperties(markOf(key)) };
  const { id } = await api.createDatabase(wanted, signal);
  return { target: { database_id: id }, mappings: [] };
}

function markOf(key: string): string {
  return `(${key})`;
}

async function searched(
  api: NotionApi,
  key: string,
  name: string,
  signal: AbortSignal,
): Promise<string | null> {
  let cursor: string | null = null;
  for (let listed = 0; listed < MOST_LISTED; listed++) {
    const page: Awaited<ReturnType<NotionApi['findSources']>> = await api.findSources(cursor, signal, name);
    const made = page.results.find((source) => !isTrashed(source) && isMarked(source, key));
    if (made?.parent?.database_id !== undefined) return made.parent.database_id;
    if (!page.has_more || page.next_cursor === null) break;
    cursor = page.next_cursor;
  }
  return null;
}

async function onPage(
  api: NotionApi,
  parent: string,
  key: string,
  name: string,
  signal: AbortSignal,
): Promise<string | null> {
  let cursor: string | null = null;
  for (let listed = 0; listed < MOST_LISTED; listed++) {
    const page: Awaited<ReturnType<NotionApi['children']>> = await api.children(parent, cursor, signal);
    const titled = page.results.filter((block) => !isTrashed(block) && block.child_database?.title === name);
    for (const { id } of titled) {
      const [source] = (await api.database(id, signal)).data_sources;
      if (source !== undefined && isMarked(await api.dataSource(source.id, signal), key)) return id;
    }
    if (!page.has_more || page.next_cursor === null) break;
    cursor = page.next_cursor;
  }
  return null;
}

function isMarked(source: Parameters<typeof idColumn>[0], key: string): boolean {
  return idColumn(source)?.description?.includes(markOf(key)) === true;
}

async function sharedPage(api: NotionApi, signal: AbortSignal): Promise<string> {
  const found: { readonly id: string; readonly created: string }[] = [];
  let cursor: string | null = null;
  for (let listed = 0; listed < MOST_LISTED; listed++) {
    const page: Awaited<ReturnType<NotionApi['findPages']>> = await api.findPages(cursor, signal);
    for (const one of page.results) {
      const isRow = one.parent?.type === 'data_source_id' || one.parent?.type === 'database_id';
      if (!isRow && !isTrashed(one)) found.push({ id: one.id, created: one.created_time ?? '' });
    }
    if (!page.has_more || page.next_cursor === null) break;
    cursor = page.next_cursor;
  }
  const [oldest] = found.toSorted((a, b) => (a.created < b.created ? -1 : a.created > b.created ? 1 : 0));
  if (oldest !== undefined) return oldest.id;
  throw new DestinationFailure(
    'destination_resource_missing',
    'No page is shared with this service. Share a page of your Notion workspace with it, then try again.',
    { outcome: 'refused', retryable: false },
  );
}
