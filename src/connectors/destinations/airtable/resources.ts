import type {
  DestinationResource,
  DestinationResources,
  TargetProblem,
  TargetQuestion,
} from '../destination-contract.ts';
import { asUpstream, orMissing, targetProblem } from '../kit/failures.ts';
import type { AirtableAccess, AirtableApi } from './client.ts';
import { READ_ONLY } from './failures.ts';

/** Bases that the person may write to, and their tables. @param pagesUrl where their pages are */
export function resourcesOf(api: AirtableApi, pagesUrl: string): DestinationResources {
  return {
    list: async (access, { type, parent, limit }, signal) => {
      const by = { access, signal, askedBy: 'person' } as const;
      return asUpstream(
        () =>
          type === 'table' && parent !== null
            ? tablesIn(api, by, parent, limit, pagesUrl)
            : basesOf(api, by, limit, pagesUrl),
        signal,
      );
    },
  };
}

async function basesOf(
  api: AirtableApi,
  by: AirtableAccess,
  limit: number,
  pagesUrl: string,
): Promise<readonly DestinationResource[]> {
  const bases: DestinationResource[] = [];
  for await (const page of api.bases(by)) {
    for (const { id, name, permissionLevel } of page) {
      if (!READ_ONLY.has(permissionLevel ?? ''))
        bases.push({ id, name, url: `${pagesUrl}/${encodeURIComponent(id)}` });
    }
    if (bases.length >= limit) break;
  }
  return bases.slice(0, limit);
}

async function tablesIn(
  api: AirtableApi,
  by: AirtableAccess,
  base: string,
  limit: number,
  pagesUrl: string,
): Promise<readonly DestinationResource[]> {
  const tables = await api.tables(by, base);
  return tables.slice(0, limit).map(({ id, name }) => ({
    id,
    name,
    url: `${pagesUrl}/${encodeURIComponent(base)}/${encodeURIComponent(id)}`,
  }));
}

/** A base that the person may write to, and a table in it. */
export async function checkTable(
  api: AirtableApi,
  by: AirtableAccess,
  { target: { base_id: base = '', table_id: table = '' } }: TargetQuestion,
): Promise<TargetProblem | null> {
  const missing = () =>
    targetProblem(
      'base_id',
      'Airtable has no such base, or this service may not see it: choose one that it lists.',
    );
  const permission = await permissionIn(api, by, base);
  if (permission === null) return missing();
  if (READ_ONLY.has(permission)) {
    return targetProblem(
      'base_id',
      'The person who connected Airtable may only read the base: become its editor, or choose another.',
    );
  }
  const tables = await orMissing(() => api.tables(by, base));
  if (tables === null) return missing();
  if (tables.some(({ id }) => id === table)) return null;
  return targetProblem('table_id', 'The base has no such table: choose one that it has.');
}

/** The person's permission in the base, empty if Airtable does not say; null for a base that is not listed. */
async function permissionIn(api: AirtableApi, by: AirtableAccess, base: string): Promise<string | null> {
  for await (const page of api.bases(by)) {
    const found = page.find(({ id }) => id === base);
    if (found !== undefined) return found.permissionLevel ?? '';
  }
  return null;
}
