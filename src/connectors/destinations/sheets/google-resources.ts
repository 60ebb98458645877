import type { DestinationResource, DestinationResources } from '../destination-contract.ts';
import type { DestinationAccess } from '../destination-opening.ts';
import { asUpstream } from '../kit/as-upstream.ts';
import type { GoogleApi } from './google-api.ts';
import { workbookOf } from './workbook.ts';

/** The spreadsheets this application may see, latest first, and the tabs of one. */
export function googleResources(apiOf: (access: DestinationAccess) => GoogleApi): DestinationResources {
  return {
    list: (access, { parent, limit }, signal) =>
      asUpstream(
        () =>
          parent === null
            ? spreadsheets(apiOf(access), limit, signal)
            : tabs(apiOf(access), parent, limit, signal),
        signal,
      ),
  };
}

async function spreadsheets(
  api: GoogleApi,
  limit: number,
  signal: AbortSignal,
): Promise<readonly DestinationResource[]> {
  const files = await api.spreadsheets(limit, 'modifiedTime desc', signal);
  return files.map(({ id, name, webViewLink }) => ({ id, name, url: webViewLink ?? null }));
}

async function tabs(
  api: GoogleApi,
  spreadsheet: string,
  limit: number,
  signal: AbortSignal,
): Promise<readonly DestinationResource[]> {
  const workbook = workbookOf(await api.spreadsheet(spreadsheet, signal));
  return workbook.tabs.slice(0, limit).map(({ sheetId, title }) => ({
    id: String(sheetId),
    name: title,
    url: workbook.url === null ? null : `${workbook.url.replace(/#.*$/, '')}#gid=${sheetId}`,
  }));
}
