import { publicId, type RowId } from '../../../vocabulary/ids.ts';
import type { BalanceSnapshot, HoldingsSnapshot } from '../delivery-rows.ts';
import type { OpenedSync } from '../destination-contract.ts';
import { BALANCE_VALUES, type FieldValue, holdingValues } from '../row-values.ts';
import { cellsOf } from './chunk-plan.ts';
import type { GoogleApi } from './client.ts';
import { gone, liveWorkbook } from './row-book.ts';
import { rowsGone, rowsInserted, type SheetRequest } from './sheet-requests.ts';
import { BALANCES, POSITION_ID, tableOf, tagOf } from './sheet-tables.ts';
import { columnsRead, newTab, ownColumns, type TabColumns, writtenRows } from './tab-columns.ts';
import {
  derivedId,
  freeTitle,
  type SheetTarget,
  type Tab,
  tabOfBalances,
  tabOfRows,
  type Workbook,
} from './workbook.ts';

/** A day that no column of a snapshot shows. */
const NO_DAY = '';

/** Writes what accounts hold and their balances: each batch leaves the account's rows as the snapshot has them. */
export class SnapshotWriter {
  readonly #api: GoogleApi;
  readonly #sync: OpenedSync;
  readonly #target: SheetTarget;
  #workbook: Workbook | null = null;
  #holdings: SnapshotTab | null = null;
  /** Accounts whose positions are in the tab of positions. */
  #seen = new Set<string>();
  /** Balances by account, written together at the end of the run. */
  readonly #balances = new Map<string, SnapshotRow>();

  constructor(api: GoogleApi, sync: OpenedSync, target: SheetTarget) {
    this.#api = api;
    this.#sync = sync;
    this.#target = target;
  }

  /** Written by `finish`, which always follows, for all accounts at once. */
  addBalance(balance: BalanceSnapshot): void {
    const account = publicId('account', balance.account.id);
    const values = Object.entries(BALANCE_VALUES).map(([name, value]) => [name, value(balance)]);
    this.#balances.set(account, { ...Object.fromEntries(values), account_id: account });
  }

  async writeHoldings(snapshot: HoldingsSnapshot, signal: AbortSignal): Promise<void> {
    const account = publicId('account', snapshot.account.id);
    const rows = snapshot.holdings.map((holding): SnapshotRow => {
      const values = holdingValues(holding, snapshot);
      return { ...values, account_id: account, [POSITION_ID]: holding.id };
    });
    await this.#replaced(await this.#holdingsTab(signal), new Map([[account, rows]]), signal);
  }

  /** Writes the balances, and removes positions and balances of accounts that are no longer in the sync. */
  async finish(accounts: readonly RowId<'account'>[], signal: AbortSignal): Promise<void> {
    const present = new Set(accounts.map((id) => publicId('account', id)));
    const left = [...this.#seen].filter((account) => !present.has(account));
    if (this.#holdings !== null && left.length > 0 && this.#isOurs(this.#target.sheet)) {
      await this.#replaced(this.#holdings, new Map(left.map((account) => [account, []])), signal);
    }
    if (this.#balances.size === 0) return;
    const tab = await this.#balancesTab(signal);
    const wanted = new Map([...this.#balances].map(([account, row]) => [account, [row]] as const));
    await this.#replaced(tab, wanted, signal, present);
    this.#balances.clear();
  }

  /** @param only if given, rows of accounts that are not among these are removed as well */
  async #replaced(
    tab: SnapshotTab,
    wanted: ReadonlyMap<string, readonly SnapshotRow[]>,
    signal: AbortSignal,
    only?: ReadonlySet<string>,
  ): Promise<void> {
    const { spreadsheet } = this.#target;
    const existing = await snapshotRows(this.#api, spreadsheet, tab, signal);
    this.#seen = new Set(existing.map(({ account }) => account));
    const others = only === undefined ? [] : [...this.#seen].filter((account) => !only.has(account));
    const all = new Map([...others.map((account) => [account, []] as const), ...wanted]);
    const { requests, rowCount } = replacement(tab, existing, all, NO_DAY);
    if (requests.length === 0) return;
    try {
      await this.#api.update(spreadsheet, requests, signal);
    } catch (error) {
      // What is there is read again the next time.
      this.#workbook = null;
      this.#holdings = null;
      throw error;
    }
    tab.rowCount = rowCount;
    tab.setup = [];
    tab.isThere = true;
    if (tab.positions !== null) tab.positions.isThere = true;
  }

  async #holdingsTab(signal: AbortSignal): Promise<SnapshotTab> {
    if (this.#holdings !== null) return this.#holdings;
    const { tabs } = await this.#opened(signal);
    const tab = tabs.find(({ sheetId }) => sheetId === this.#target.sheet);
    if (tab === undefined) throw gone('the tab that holdings are written to is not there any more');
    const table = tableOf(this.#sync);
    const positions = { isThere: tab.tags.has(tagOf(table, POSITION_ID)) };
    this.#holdings = await this.#known(tab, table, tabOfRows(this.#sync), positions, signal);
    return this.#holdings;
  }

  async #balancesTab(signal: AbortSignal): Promise<SnapshotTab> {
    const { tabs, titles, sheetIds } = await this.#opened(signal);
    const mark = tabOfBalances(this.#sync);
    const tab = tabs.find(({ marks }) => marks.has(mark));
    if (tab !== undefined) return this.#known(tab, BALANCES, mark, null, signal);
    const sheetId = derivedId(mark, (id) => sheetIds.has(id));
    const taken = new Set([...titles].map((one) => one.toLowerCase()));
    const title = freeTitle('Balances', (one) => taken.has(one.toLowerCase()));
    const { requests, columns } = newTab({ sheetId, title }, BALANCES, mark);
    return { sheetId, columns, positions: null, rowCount: 2, setup: requests, isThere: false };
  }

  async #known(
    tab: Tab,
    table: typeof BALANCES,
    mark: string,
    positions: SnapshotTab['positions'],
    signal: AbortSignal,
  ): Promise<SnapshotTab> {
    const { sheetId, rowCount } = tab;
    const wanted = { headersOf: [tab], columns: [] };
    const { headers } = await columnsRead(this.#api, this.#target.spreadsheet, wanted, signal);
    const of = { tab, table, headers: headers.get(sheetId) ?? [], mark };
    const columns = await ownColumns(this.#api, this.#target.spreadsheet, of, signal);
    return { sheetId, columns, positions, rowCount, setup: columns.setup, isThere: columns.hasKey };
  }

  async #opened(signal: AbortSignal): Promise<Workbook> {
    this.#workbook ??= await liveWorkbook(this.#api, this.#target.spreadsheet, signal);
    return this.#workbook;
  }

  /** Whether no other sync writes to the tab. */
  #isOurs(sheet: number): boolean {
    const marks = this.#workbook?.tabs.find(({ sheetId }) => sheetId === sheet)?.marks ?? new Set();
    return [...marks].every((mark) => !mark.startsWith('rows ') || mark === tabOfRows(this.#sync));
  }
}

type SnapshotRow = Readonly<Record<string, FieldValue>>;

/** An existing row of a snapshot. */
interface ExistingRow {
  readonly row: number;
  /** The account it belongs to. */
  readonly account: string;
  /** The id of the position; empty if accounts have one row each, or a person deleted it. */
  readonly position: string;
}

/** A tab of snapshots: rows of several accounts, each with its account's id in the hidden column. */
interface SnapshotTab {
  readonly sheetId: number;
  readonly columns: TabColumns;
  /** How the rows of an account are distinguished; null if each account has one row. */
  readonly positions: {
    /** Whether the column of their ids exists, so that it can be read. */
    isThere: boolean;
  } | null;
  rowCount: number;
  /** Requests that create the tab or its columns; none once they were applied. */
  setup: readonly SheetRequest[];
  /** Whether the key column exists, so that it can be read. */
  isThere: boolean;
}

/** Which rows of snapshots are in a tab. */
async function snapshotRows(
  api: GoogleApi,
  spreadsheet: string,
  tab: SnapshotTab,
  signal: AbortSignal,
): Promise<readonly ExistingRow[]> {
  if (!tab.isThere) return [];
  const { sheetId, columns, rowCount } = tab;
  const read = async (column: number) => {
    const wanted = { headersOf: [], columns: [{ sheetId, at: column, rowCount }] };
    return (await columnsRead(api, spreadsheet, wanted, signal)).columns.get(sheetId) ?? [];
  };
  const accounts = await read(columns.key);
  if (!accounts.some(isText)) return [];
  const at = columns.placed.find(({ column }) => column.name === POSITION_ID)?.at;
  const ids = tab.positions?.isThere === true && at !== undefined ? await read(at) : [];
  return accounts.flatMap((account, index): ExistingRow[] => {
    if (!isText(account)) return [];
    return [{ row: index + 1, account, position: String(ids[index] ?? '') }];
  });
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/**
 * Requests that replace the rows of the given accounts, and leave all others alone. The row of the same position is
 * overwritten, so that a person's notes next to it stay with it; no row is reused for another position.
 */
function replacement(
  tab: SnapshotTab,
  existing: readonly ExistingRow[],
  wanted: ReadonlyMap<string, readonly SnapshotRow[]>,
  today: string,
): { readonly requests: readonly SheetRequest[]; readonly rowCount: number } {
  const { sheetId, columns } = tab;
  const requests: SheetRequest[] = [...tab.setup];
  const gone: number[] = [];
  const fresh: SnapshotRow[] = [];
  const write = (row: number, rows: readonly SnapshotRow[]): void => {
    const values = rows.map((one) => () => cellsOf({ values: () => one }, today));
    requests.push(...writtenRows(sheetId, row, columns.placed, values));
  };
  for (const [account, rows] of wanted) {
    const left = existing.filter((one) => one.account === account);
    const places = placesOf(tab.positions, left, rows);
    for (const row of rows) {
      const place = places.get(row);
      if (place === undefined) fresh.push(row);
      else write(place.row, [row]);
    }
    const taken = new Set(places.values());
    gone.push(...left.filter((one) => !taken.has(one)).map(({ row }) => row));
  }
  const rowCount = Math.max(tab.rowCount, columns.rowCount);
  if (fresh.length > 0) {
    const first = Math.max(0, ...existing.map(({ row }) => row)) + 1;
    requests.push(rowsInserted(sheetId, first, fresh.length, rowCount));
    write(first, fresh);
  }
  requests.push(...rowsGone(sheetId, gone));
  return { requests, rowCount: rowCount + fresh.length - gone.length };
}

/** The existing row of each position; positions without one are missing. */
function placesOf(
  positions: SnapshotTab['positions'],
  existing: readonly ExistingRow[],
  rows: readonly SnapshotRow[],
): ReadonlyMap<SnapshotRow, ExistingRow> {
  const places = new Map<SnapshotRow, ExistingRow>();
  const [only] = existing;
  if (positions === null) return new Map(only === undefined ? [] : rows.map((row) => [row, only] as const));
  const byId = new Map(existing.toReversed().map((one) => [one.position, one]));
  for (const row of rows) {
    const known = byId.get(row[POSITION_ID] ?? '');
    if (known !== undefined && known.position !== '') places.set(row, known);
  }
  return places;
}
