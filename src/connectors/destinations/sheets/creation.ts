import type { AccountMapping } from '../../../vocabulary/account-mappings.ts';
import type { DeliveryAccount } from '../delivery-rows.ts';
import type { CreatedTarget, CreationRequest } from '../destination-contract.ts';
import type { GoogleApi } from './client.ts';
import { cells, metadata, rowJson, type SheetRequest } from './sheet-requests.ts';
import { neededColumns, type SheetTable, tableOf } from './sheet-tables.ts';
import {
  CREATION_KEY,
  derivedId,
  freeTitle,
  spreadsheetEntry,
  tabEntry,
  tabOfAccount,
  type Workbook,
  workbookOf,
} from './workbook.ts';

/** The name of the tab of a new spreadsheet, by what the sync writes. */
const TITLES = { transactions: 'Transactions', trades: 'Trades', holdings: 'Holdings' } as const;
/** How many of the latest spreadsheets are searched for one that an earlier attempt created. */
const LOOKED_AT = 20;

/** A tab to create. */
interface NewTab {
  readonly sheetId: number;
  readonly title: string;
  readonly account: DeliveryAccount | null;
}

/**
 * A spreadsheet with a tab for the rows, and a tab for each of the accounts. It is marked with the key of the request,
 * and each account's tab with its account: both are created in one call, and found again by the next attempt.
 */
export async function createSpreadsheet(
  api: GoogleApi,
  request: CreationRequest,
  signal: AbortSignal,
): Promise<CreatedTarget> {
  const { target } = request;
  if (target !== null) {
    const workbook = workbookOf(await api.spreadsheet(target.spreadsheet_id ?? '', signal));
    return { target, mappings: mappingsOf(request, await withTabs(api, request, workbook, signal)) };
  }
  const found = request.again ? await foundByKey(api, request.key, signal) : null;
  const workbook = found ?? (await made(api, request, signal));
  const [first] = workbook.tabs;
  const complete = await withTabs(api, request, workbook, signal);
  return {
    target: {
      spreadsheet_id: workbook.id,
      sheet_id: String(first?.sheetId ?? 0),
      spreadsheet_name: workbook.title,
      sheet_name: first?.title ?? '',
    },
    mappings: mappingsOf(request, complete),
  };
}

async function foundByKey(api: GoogleApi, key: string, signal: AbortSignal): Promise<Workbook | null> {
  for (const { id } of await api.spreadsheets(LOOKED_AT, 'createdTime desc', signal)) {
    const workbook = workbookOf(await api.spreadsheet(id, signal));
    if (workbook.creations.has(key)) return workbook;
  }
  return null;
}

async function made(api: GoogleApi, request: CreationRequest, signal: AbortSignal): Promise<Workbook> {
  const { key, name, type } = request;
  const rows: NewTab = { sheetId: 0, title: TITLES[type], account: null };
  const tabs = [rows, ...accountTabs(request, { sheetIds: new Set([0]), titles: new Set([rows.title]) })];
  const table = tableOf({ type, columns: request.columns ?? null });
  const body = {
    properties: { title: name },
    developerMetadata: [spreadsheetEntry(CREATION_KEY, key)],
    sheets: tabs.map((tab) => ({
      properties: propertiesOf(tab, table),
      data: [{ rowData: [rowJson(shownColumns(table).map(({ header }) => header))] }],
      developerMetadata: tab.account === null ? [] : [tabEntry(tab.sheetId, tabOfAccount(tab.account.id))],
    })),
  };
  return workbookOf(await api.createSpreadsheet(body, signal));
}

/** Adds the tabs of accounts without one, all or none. */
async function withTabs(
  api: GoogleApi,
  request: CreationRequest,
  workbook: Workbook,
  signal: AbortSignal,
): Promise<Workbook> {
  const accounts = request.accounts.filter(({ id }) => tabOf(workbook, id) === undefined);
  if (accounts.length === 0) return workbook;
  const table = tableOf({ type: request.type, columns: request.columns ?? null });
  const requests = accountTabs({ accounts }, workbook).flatMap((tab): readonly SheetRequest[] => [
    { addSheet: { properties: propertiesOf(tab, table) } },
    cells(tab.sheetId, 0, 0, [shownColumns(table).map(({ header }) => header)]),
    ...(tab.account === null ? [] : [metadata(tabEntry(tab.sheetId, tabOfAccount(tab.account.id)))]),
  ]);
  await api.update(workbook.id, requests, signal);
  return workbookOf(await api.spreadsheet(workbook.id, signal));
}

function accountTabs(
  { accounts }: Pick<CreationRequest, 'accounts'>,
  there: Pick<Workbook, 'sheetIds' | 'titles'>,
): readonly NewTab[] {
  const ids = new Set(there.sheetIds);
  const titles = new Set([...there.titles].map((title) => title.toLowerCase()));
  return accounts.map((account) => {
    const sheetId = derivedId(account.id, (id) => ids.has(id));
    const title = freeTitle(account.name, (one) => titles.has(one.toLowerCase()));
    ids.add(sheetId);
    titles.add(title.toLowerCase());
    return { sheetId, title, account };
  });
}

/** Columns that only we need are added, and hidden, with the first rows. */
const shownColumns = (table: SheetTable) => neededColumns(table).filter(({ hidden }) => !hidden);

function propertiesOf({ sheetId, title }: NewTab, table: SheetTable) {
  const columnCount = shownColumns(table).length;
  return { sheetId, title, gridProperties: { rowCount: 2, columnCount, frozenRowCount: 1 } };
}

function tabOf({ tabs }: Workbook, account: DeliveryAccount['id']) {
  return tabs.find(({ marks }) => marks.has(tabOfAccount(account)));
}

function mappingsOf({ accounts }: CreationRequest, workbook: Workbook): readonly AccountMapping[] {
  return accounts.flatMap(({ id }) => {
    const tab = tabOf(workbook, id);
    return tab === undefined ? [] : [{ account: id, sheet_id: String(tab.sheetId), sheet_name: tab.title }];
  });
}
