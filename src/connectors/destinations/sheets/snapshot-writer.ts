import { publicId, type RowId } from '../../../vocabulary/ids.ts';
import type { HoldingField } from '../../../vocabulary/row-fields.ts';
import type { BalanceSnapshot, HoldingsSnapshot } from '../delivery-rows.ts';
import type { OpenedSync } from '../destination-opening.ts';
import { BALANCE_VALUES, holdingValues } from '../row-values.ts';
import type { GoogleApi } from './client.ts';
import { columnsRead, ownColumns } from './column-reads.ts';
import { derivedId, tabOfBalances, tabOfRows } from './metadata.ts';
import { gone, liveWorkbook } from './row-book.ts';
import { BALANCES, POSITION_ID, tableOf, tagOf } from './sheet-tables.ts';
import { replacement, type SnapshotRow, type SnapshotTab, snapshotRows } from './snapshot-rows.ts';
import { newTab } from './tab-columns.ts';
import { freeTitle, type SheetTarget, type Tab, type Workbook } from './workbook.ts';

/** A day that no column of a snapshot shows. */
const NO_DAY = '';
/** Fields by which a position that an earlier version wrote is found again, the first that is shown. */
const HOLDING_NAMES = ['symbol', 'name'] as const satisfies readonly HoldingField[];

/** Writes what accounts hold and their balances: each batch leaves the account's rows as the snapshot has them. */
export class SnapshotWriter {
  readonly #api: GoogleApi;
  readonly #sync: OpenedSync;
  readonly #target: SheetTarget;
  #workbook: Workbook | null = null;
  #holdings: SnapshotTab | null = null;
  /** Accounts whose positions were seen in the tab of positions. */
  #seen = new Set<string>();
  /** Balances by account, written together at the end of the run. */
  readonly #balances = new Map<string, SnapshotRow>();

  constructor(api: GoogleApi, sync: OpenedSync, target: SheetTarget) {
    this.#api = api;
    this.#sync = sync;
    this.#target = target;
  }

  /** Written by `finish`, which is certain to follow, for all accounts at once. */
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

  /** Writes the balances, and removes positions and balances of accounts that are not in the sync any more. */
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

  /** @param only where given: rows of accounts that are not among these go as well */
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
      // What is there is read anew the next time.
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
    const name = HOLDING_NAMES.find((field) => table.columns.some((column) => column.name === field)) ?? null;
    const isThere = tab.tags.has(tagOf(table, POSITION_ID));
    const positions = { isThere, nameField: name };
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
