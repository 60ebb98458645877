import type { DestinationResource, TargetProblem, TargetQuestion } from '../destination-contract.ts';
import { orMissing, targetProblem } from '../kit/failures.ts';
import type { NotionApi } from './client.ts';
import { isTrashed, plainText } from './wire.ts';

const UNTITLED = 'Untitled';

/** Databases that a person shared with us, at most `limit`. The API lists their data sources. */
export async function listDatabases(
  api: NotionApi,
  limit: number,
  signal: AbortSignal,
): Promise<readonly DestinationResource[]> {
  const databases = new Map<string, { readonly names: string[]; readonly url: string | null }>();
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<NotionApi['findSources']>> = await api.findSources(cursor, signal);
    for (const source of page.results) {
      const id = source.parent?.database_id;
      if (id === undefined || isTrashed(source)) continue;
      const name = plainText(source.title ?? []).trim() || UNTITLED;
      const known = databases.get(id);
      if (known === undefined) databases.set(id, { names: [name], url: source.url ?? null });
      else if (!known.names.includes(name)) known.names.push(name);
    }
    cursor = page.has_more ? page.next_cursor : null;
  } while (cursor !== null && databases.size < limit);
  return [...databases].slice(0, limit).map(([id, { names, url }]) => ({ id, name: names.join(', '), url }));
}

/** A database that is shared with us, in one call. Notion does not say in advance whether it may be written to. */
export async function checkDatabase(
  api: NotionApi,
  { target: { database_id: id = '' } }: TargetQuestion,
  signal: AbortSignal,
): Promise<TargetProblem | null> {
  const problem = (message: string) => targetProblem('database_id', message);
  const database = await orMissing(() => api.database(id, signal), 400);
  if (database === null) {
    return problem(
      'Notion has no such database, or it is not shared with this service: choose one that it lists.',
    );
  }
  if (isTrashed(database)) return problem('The database is in the trash: restore it, or choose another.');
  return database.data_sources.length === 0
    ? problem('The database has no data source: choose another.')
    : null;
}
