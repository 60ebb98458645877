import type { DestinationResource, DestinationResources } from '../destination-contract.ts';
import { asUpstream } from '../kit/as-upstream.ts';
import type { AirtableAccess, AirtableApi } from './airtable-api.ts';
import { READ_ONLY } from './failure-advice.ts';

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
