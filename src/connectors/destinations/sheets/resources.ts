import type {
  DestinationAccess,
  DestinationResource,
  DestinationResources,
  TargetProblem,
  TargetQuestion,
} from '../destination-contract.ts';
import { asUpstream, firstUnknown, orMissing, targetProblem } from '../kit/failures.ts';
import { type GoogleApi, SPREADSHEET_TYPE } from './client.ts';
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

/** A spreadsheet that may be edited, with the tab and the tabs of accounts. Two calls. */
export async function checkSpreadsheet(
  api: GoogleApi,
  { target: { spreadsheet_id: id = '', sheet_id: tab = '' }, places }: TargetQuestion,
  signal: AbortSignal,
): Promise<TargetProblem | null> {
  const problem = (message: string) => targetProblem('spreadsheet_id', message);
  const missing = () =>
    problem(
      'Google has no such spreadsheet, or this service may not see it: choose one that it lists, or have one made.',
    );
  const file = await orMissing(() => api.file(id, signal));
  if (file === null) return missing();
  if (file.trashed === true) return problem('The spreadsheet is in the bin: restore it, or choose another.');
  if (file.mimeType !== undefined && file.mimeType !== SPREADSHEET_TYPE) {
    return problem('The file is no spreadsheet: choose one.');
  }
  if (file.capabilities?.canEdit === false) {
    return problem(
      'The person who connected Google may only read the spreadsheet: choose one they may edit.',
    );
  }
  const answer = await orMissing(() => api.spreadsheet(id, signal));
  if (answer === null) return missing();
  const tabs = new Set(workbookOf(answer).tabs.map(({ sheetId }) => String(sheetId)));
  const noTab = 'The spreadsheet has no such tab with cells: choose one that it has.';
  if (!tabs.has(tab)) return targetProblem('sheet_id', noTab);
  return firstUnknown('places', places, tabs, noTab);
}
