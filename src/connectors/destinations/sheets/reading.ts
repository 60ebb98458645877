import { parsePublicId, publicId } from '../../../vocabulary/ids.ts';
import type { FieldForm } from '../../../vocabulary/row-fields.ts';
import type { OpenedSync, ShownRow, ShownValues, TargetReading } from '../destination-contract.ts';
import { parseQualifiedId } from '../kit/shared-ids.ts';
import { type FieldValue, holdingValues, READ_MOMENT } from '../row-values.ts';
import type { GoogleApi } from './client.ts';
import { goneTab, liveWorkbook } from './row-book.ts';
import { cellValue, dayOfCell, RowText } from './rows.ts';
import type { SheetColumn } from './sheet-requests.ts';
import { isOwn, POSITION_ID, type SheetTable, TILLER_SIGNS, tableFor, tableOf } from './sheet-tables.ts';
import { columnsRead, ownColumns, type TabColumns } from './tab-columns.ts';
import { type SheetTarget, type Tab, tabOfRows } from './workbook.ts';

/** Rows per answer: well below the limits of an answer in values and bytes. */
const PAGE_ROWS = 2000;
const NO_TAGS: ReadonlyMap<string, number> = new Map();
const ACCOUNT_COLUMNS: ReadonlySet<string> = new Set(['account', 'account_number', 'institution']);

/** Reads the rows of a sync back from the tabs they are in. People's own columns are left out. */
export function sheetsReading(api: GoogleApi, sync: OpenedSync, target: SheetTarget): TargetReading {
  const tables = tablesOf(sync);
  const rowText = new RowText(sync);
  const compared = tables.flatMap((table) =>
    comparedColumns(table).map((column) => ({ column, name: nameOf(table, column) })),
  );
  const shown = (values: Readonly<Record<string, FieldValue>>): ShownValues =>
    Object.fromEntries(
      compared.map(({ column, name }) => [
        name,
        shownText(column.form, cellValue(column.form, column.value({ values, today: '' }))),
      ]),
    );
  return {
    shown: (text) => shown(rowText.valuesOf(text)),
    shownHolding: (holding, of) => shown(holdingValues(holding, of)),
    keysOf: (id, _ref, account) => [
      sync.type === 'holdings' ? positionKey(publicId('account', account), id) : id,
    ],
    inspect: async (signal) => {
      const tabs = await tabsOf(api, sync, target, signal);
      const filled = tabs.filter(({ tab }) => filledTabs(sync, target).includes(tab.sheetId));
      const lacking = filled.flatMap(({ tab, added }) =>
        added.map(({ header }) => ({ name: header, where: tab.title, problem: 'absent' as const })),
      );
      return { lacking };
    },
    accountFields: compared.flatMap(({ column, name }) => (ACCOUNT_COLUMNS.has(column.name) ? [name] : [])),
    rows: async function* (signal) {
      for (const { tab, table, placed, key, hasKey } of await tabsOf(api, sync, target, signal)) {
        for (let start = 1; hasKey && start < tab.rowCount; start += PAGE_ROWS) {
          yield await rowsFrom(api, target.spreadsheet, { tab, table, placed, key }, start, signal);
        }
      }
    },
  };
}

/** The standard table, and the template's if the sync may use one. */
function tablesOf(sync: OpenedSync): readonly SheetTable[] {
  const template = tableFor(sync, TILLER_SIGNS, NO_TAGS);
  return template.formats ? [template] : [tableOf(sync), template];
}

const comparedColumns = ({ columns, key }: SheetTable): readonly SheetColumn[] =>
  columns.filter((column) => {
    const { name, updated } = column;
    return updated && name !== key && name !== READ_MOMENT && !isOwn(column);
  });

/** Positions of two accounts may have the same id. */
const positionKey = (account: string, id: string): string => `${account}/${id}`;

/** Tables share headers but not the values below them. */
const nameOf = ({ formats }: SheetTable, { header }: SheetColumn): string =>
  formats ? header : `${header} (Tiller)`;

interface ReadTab extends Pick<TabColumns, 'table' | 'placed' | 'key'> {
  readonly tab: Tab;
}

/** Tabs that the next rows go to. */
function filledTabs(
  { account_mappings: mappings, mapping_mode: mode }: OpenedSync,
  { sheet }: SheetTarget,
): readonly number[] {
  const mapped = mappings.flatMap(({ sheet_id: id }) => (id === undefined ? [] : [Number(id)]));
  return mode === 'bulk' || mapped.length === 0 ? [...mapped, sheet] : mapped;
}

/** Tabs that contain or will contain rows of the sync. Raises `destination_resource_missing` if one is gone. */
async function tabsOf(
  api: GoogleApi,
  sync: OpenedSync,
  target: SheetTarget,
  signal: AbortSignal,
): Promise<readonly (ReadTab & Pick<TabColumns, 'hasKey' | 'added'>)[]> {
  const workbook = await liveWorkbook(api, target.spreadsheet, signal);
  const there = new Set(workbook.tabs.map(({ sheetId }) => sheetId));
  if (filledTabs(sync, target).some((sheet) => !there.has(sheet))) throw goneTab();
  const mark = tabOfRows(sync);
  const mapped = sync.account_mappings.map(({ sheet_id: id }) => Number(id));
  const wanted = new Set([target.sheet, ...mapped]);
  // A run of holdings replaces what is in one tab, and nothing in another.
  const reaches = sync.type !== 'holdings';
  const near = workbook.tabs.filter(
    ({ sheetId, marks }) => wanted.has(sheetId) || (reaches && marks.has(mark)),
  );
  const { headers } = await columnsRead(api, workbook.id, { headersOf: near, columns: [] }, signal);
  const read: (ReadTab & Pick<TabColumns, 'hasKey' | 'added'>)[] = [];
  for (const tab of near) {
    const first = headers.get(tab.sheetId) ?? [];
    const table = tableFor(sync, first, tab.tags);
    const of = { tab, table, headers: first, mark };
    const { placed, key, hasKey, added } = await ownColumns(api, workbook.id, of, signal);
    const existing = placed.filter(({ at, column }) => at < tab.columnCount && !added.includes(column));
    read.push({ tab, table, placed: existing, key, hasKey, added });
  }
  return read;
}

async function rowsFrom(
  api: GoogleApi,
  spreadsheet: string,
  { tab: { sheetId, title, rowCount }, table, placed, key }: ReadTab,
  startRowIndex: number,
  signal: AbortSignal,
): Promise<readonly ShownRow[]> {
  const startColumnIndex = placed[0]?.at ?? 0;
  const range = {
    sheetId,
    startRowIndex,
    endRowIndex: Math.min(rowCount, startRowIndex + PAGE_ROWS),
    startColumnIndex,
    endColumnIndex: (placed.at(-1)?.at ?? 0) + 1,
  };
  const [columns = []] = await api.values(spreadsheet, [range], signal);
  const comparable = new Set(comparedColumns(table));
  const compared = placed.filter(({ column }) => comparable.has(column));
  const position = placed.find(({ column }) => column.name === POSITION_ID)?.at;
  return (columns[key - startColumnIndex] ?? []).flatMap((id, at): ShownRow[] => {
    if (typeof id !== 'string' || id === '') return [];
    const values: ShownValues = Object.fromEntries(
      compared.map(({ column, at: place }) => [
        nameOf(table, column),
        shownText(column.form, columns[place - startColumnIndex]?.[at]),
      ]),
    );
    const where = `${title}, row ${startRowIndex + at + 1}`;
    const row = parseQualifiedId(id);
    if (row !== null) return [{ row, keys: [], where, values }];
    const account = parsePublicId('account', id);
    if (account === null) return [{ keys: [id], where, values }];
    // The key of positions is their account.
    const held = position === undefined ? '' : String(columns[position - startColumnIndex]?.[at] ?? '');
    return [{ keys: [positionKey(id, held)], where, values, position: { account, id: held } }];
  });
}

/** What a person sees in a cell, by its value and not its format. */
function shownText(form: FieldForm, value: unknown): string | null {
  if (value === undefined || value === null || value === '') return null;
  return (form === 'date' && typeof value === 'number' ? dayOfCell(value) : null) ?? String(value);
}
