import type { DeliveryAccount } from '../../connectors/destinations/delivery-rows.ts';
import type { Clock } from '../../platform/clock.ts';
import { EventLoopBudget } from '../../platform/event-loop-budget.ts';
import type { Db } from '../../storage/database.ts';
import { accountsOfSyncs, findSync, type SyncRow } from '../../storage/syncs.ts';
import type { OwnerId, RowId } from '../../vocabulary/ids.ts';
import type { Limits } from '../../vocabulary/limits.ts';
import { type LocalDate, localDateAt, monthsBefore } from '../../vocabulary/moments.ts';
import { WITH_TRANSACTIONS } from '../../vocabulary/provider-kinds.ts';
import { invalidParameter, missing } from '../../vocabulary/service-error.ts';
import type { SetAside } from '../../vocabulary/set-aside-rows.ts';
import type { SyncType } from '../../vocabulary/syncs.ts';
import type { Transaction } from '../../vocabulary/transactions.ts';
import type { Accounts, ResolvedAccount, UnreadableAccount } from '../linking/accounts.ts';
import type { TransactionWindow } from '../provider-gateway/gateway-types.ts';
import type { ReadFreshness, TransactionReader } from '../provider-gateway/transaction-reader.ts';
import { MemorySlots } from '../rate-limits/heavy-slots.ts';
import { requireCategory } from '../reads/account-category.ts';
import { type AskedWindow, type DayWindow, dayWindow } from '../reads/transaction-window.ts';
import { readAhead, rowPages } from '../sync-engine/read/reading-plan.ts';
import {
  isTrade,
  passEveryRow,
  plainTrade,
  type RowRules,
  type RuledRow,
  type SourceRow,
} from '../sync-engine/read/source-row.ts';
import type { SourceAccount, SyncSource } from '../sync-engine/read/sync-source.ts';
import { AsideRows } from './aside-rows.ts';
import type { ExportedAccount, ExportedHolding, RowExport } from './row-export.ts';

export interface ExportsOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly limits: Limits;
  readonly accounts: Pick<Accounts, 'resolve' | 'resolveAll'>;
  readonly source: Pick<SyncSource, 'open'>;
  readonly gateway: { readonly transactions: Pick<TransactionReader, 'list' | 'cachedList'> };
  readonly rulesOf: (sync: SyncRow) => Promise<RowRules>;
}

interface AskedOfAccounts extends AskedWindow {
  readonly includePending: boolean;
  /** How old rows may be that the cache has, in milliseconds; null reads them at the bank and caches nothing. */
  readonly maxAgeMs: number | null;
  /** Whether an account that cannot be read is part of the export, and fails when it is read. */
  readonly failuresApart: boolean;
}

interface Reading {
  readonly type: Exclude<SyncType, 'holdings'>;
  readonly columns: readonly string[] | null;
  readonly includePending: boolean;
  readonly rules: RowRules;
}

/** Rows as files, read live from the bank (docs/exports.md). Nothing is stored. */
export class Exports {
  readonly #options: ExportsOptions;
  /** Accounts that are read at the same time, of each account record. */
  readonly #turns = new MemorySlots();

  constructor(options: ExportsOptions) {
    this.#options = options;
  }

  /**
   * Rows of the sync's accounts as the sync delivers them: after categories and rules, from its first day on. Without
   * `from`, everything since then; for holdings, the current positions. `permit` raises if the caller may not read rows
   * of the type. Raises `resource_missing`, `parameter_invalid`, also for days of holdings, `invalid_date_range`,
   * `from_too_old`, `categories_seed_failed`, and what opening an account raises.
   */
  async ofSync(
    owner: OwnerId,
    id: RowId<'sync'>,
    asked: AskedWindow,
    permit: (type: SyncType) => void,
  ): Promise<RowExport> {
    const { db, rulesOf } = this.#options;
    const sync = await findSync(db, owner, id);
    if (sync === null) throw missing('sync');
    permit(sync.type);
    const { type, columns, options } = sync;
    const ids = (await accountsOfSyncs(db, owner, [id])).get(id) ?? [];
    if (type === 'holdings') return this.#holdings(owner, ids, columns, asked);
    const { include_pending: includePending } = options;
    const reading = { type, columns, includePending, rules: await rulesOf(sync) };
    return this.#of(owner, ids, reading, (zone) => this.#syncWindow(asked, zone, options.data_from));
  }

  /**
   * Transactions of banking accounts as the bank shows them. Raises `parameter_invalid` for too many accounts,
   * `resource_missing` and `wrong_endpoint_for_category` (param `account`), and as `ofSync`.
   */
  async ofAccounts(
    owner: OwnerId,
    asked: readonly RowId<'account'>[],
    { includePending, maxAgeMs, failuresApart, ...window }: AskedOfAccounts,
  ): Promise<RowExport> {
    const { accounts, limits } = this.#options;
    const ids = [...new Set(asked)];
    if (ids.length === 0 || ids.length > limits.export_accounts) {
      throw invalidParameter('account', `Between 1 and ${limits.export_accounts} accounts can be exported.`);
    }
    const rule = { categories: WITH_TRANSACTIONS, what: 'Transactions', param: 'account' } as const;
    const found = await accounts.resolveAll(owner, ids, 'account', ({ provider }) =>
      requireCategory(provider, rule),
    );
    const reading = { type: 'transactions', columns: null, includePending, rules: passEveryRow } as const;
    if (maxAgeMs === null && !failuresApart)
      return this.#of(owner, ids, reading, (zone) => this.#window(window, zone));
    const opened: ExportedAccount[] = [];
    for (const one of found) {
      const days = this.#window(window, one.account.timezone);
      if ('error' in one) {
        if (!failuresApart) throw one.error;
        opened.push(unreadable(one, days));
      } else if (maxAgeMs === null)
        opened.push(await this.#opened(owner, one.account.id, reading, () => days));
      else opened.push(this.#cached(owner, one, reading, days, maxAgeMs));
    }
    return { type: 'transactions', columns: null, accounts: opened, takeTurn: this.#turnsOf(owner) };
  }

  async #of(
    owner: OwnerId,
    ids: readonly RowId<'account'>[],
    reading: Reading,
    windowIn: (timezone: string) => DayWindow | null,
  ): Promise<RowExport> {
    const opened: ExportedAccount[] = [];
    for (const id of ids) opened.push(await this.#opened(owner, id, reading, windowIn));
    return { type: reading.type, columns: reading.columns, accounts: opened, takeTurn: this.#turnsOf(owner) };
  }

  async #opened(
    owner: OwnerId,
    id: RowId<'account'>,
    reading: Reading,
    windowIn: (timezone: string) => DayWindow | null,
  ): Promise<ExportedAccount> {
    const source = await this.#options.source.open(owner, id);
    const window = windowIn(source.timezone);
    const aside = new AsideRows();
    const reported = { ...reading, setAside: aside.add };
    return {
      account: source.account,
      window,
      pages: (signal) => exportedPages(source, window, reported, signal),
      balance: (signal) => source.balance(signal),
      observedAt: () => this.#options.clock.now(),
      takeAside: aside.take,
      asideCount: aside.count,
    };
  }

  /** An account whose rows come from the cache of the gateway, or get into it. */
  #cached(
    owner: OwnerId,
    one: ResolvedAccount,
    reading: Reading,
    window: DayWindow,
    maxAgeMs: number,
  ): ExportedAccount {
    const { accounts, gateway, clock } = this.#options;
    const { includePending } = reading;
    const aside = new AsideRows();
    let observedAt: number | null = null;
    const opened = () => this.#opened(owner, one.account.id, reading, () => window);
    const live = async (asked: TransactionWindow, signal: AbortSignal, freshness: ReadFreshness) => {
      const { gateway: now } = await accounts.resolve(owner, one.account.id);
      return gateway.transactions.list(now, asked, signal, null, freshness);
    };
    const pages = async function* (signal: AbortSignal) {
      const asked = { ...window, includePending };
      const freshness = { maxAgeMs, lingers: true };
      // Its turn may come minutes later, when the connection was deleted or caching ended: a purge emptied the cache,
      // and what is read now must be read, and kept, by the rights of now.
      const cached = gateway.transactions.cachedList(one.gateway, asked, null, freshness);
      const read = cached ?? (await live(asked, signal, freshness));
      const { rows: named, count } = read.value.setAside;
      if (!read.value.truncated && named.length === count) {
        observedAt = read.observedAt;
        for (const row of named) aside.add(row);
        return yield* pagesOf(read.value.rows, one.account.id, reading.rules);
      }
      // There are more rows than a list has, or than it names of those set aside, so all of them are streamed.
      observedAt = clock.now();
      const stream = await opened();
      for await (const page of stream.pages(signal)) {
        for (const row of stream.takeAside()) aside.add(row);
        yield page;
      }
      for (const row of stream.takeAside()) aside.add(row);
    };
    return {
      account: deliveryAccount(one),
      window,
      pages,
      balance: async (signal) => (await opened()).balance(signal),
      observedAt: () => observedAt,
      takeAside: aside.take,
      asideCount: aside.count,
    };
  }

  async #holdings(
    owner: OwnerId,
    ids: readonly RowId<'account'>[],
    columns: readonly string[] | null,
    asked: AskedWindow,
  ): Promise<RowExport> {
    for (const name of ['from', 'to'] as const) {
      if (asked[name] !== null)
        throw invalidParameter(name, 'Holdings are always current; omit from and to.');
    }
    const opened: ExportedAccount[] = [];
    for (const id of ids) {
      const source = await this.#options.source.open(owner, id);
      const aside = new AsideRows();
      opened.push({
        account: source.account,
        window: null,
        pages: (signal) => this.#positions(source, aside.add, signal),
        balance: (signal) => source.balance(signal),
        observedAt: () => this.#options.clock.now(),
        takeAside: aside.take,
        asideCount: aside.count,
      });
    }
    return { type: 'holdings', columns, accounts: opened, takeTurn: this.#turnsOf(owner) };
  }

  async *#positions(
    source: SourceAccount,
    setAside: SetAside,
    signal: AbortSignal,
  ): AsyncGenerator<ExportedHolding[]> {
    const readAt = this.#options.clock.now();
    const holdings = await source.holdings(signal, setAside);
    yield holdings.map((holding) => ({ kind: 'holding', holding, readAt }));
  }

  #turnsOf(owner: OwnerId): RowExport['takeTurn'] {
    const levels = [{ of: null, places: this.#options.limits.export_reads }];
    return () => {
      const taken = this.#turns.take(owner, levels);
      return typeof taken === 'number' ? null : taken;
    };
  }

  #window(asked: AskedWindow, timezone: string): DayWindow {
    const { clock, limits } = this.#options;
    return dayWindow(asked, { now: clock.now(), timezone }, limits);
  }

  /** A sync delivers nothing from before its first day, however long ago that was. */
  #syncWindow(asked: AskedWindow, timezone: string, first: LocalDate): DayWindow | null {
    const { clock, limits } = this.#options;
    const { from, to } = this.#window(asked, timezone);
    const oldest = monthsBefore(localDateAt(clock.now(), timezone), limits.history_months);
    const wanted = asked.from === null ? oldest : from;
    const begin = wanted < first ? first : wanted;
    return begin > to ? null : { from: begin, to };
  }
}

/** Rows of a cached read that are passed on at a time. */
const PAGE_ROWS = 500;

async function* pagesOf(
  rows: readonly Transaction[],
  account: RowId<'account'>,
  rules: RowRules,
): AsyncGenerator<readonly RuledRow[]> {
  const budget = new EventLoopBudget();
  for (let at = 0; at < rows.length; at += PAGE_ROWS) {
    if (budget.spent) await budget.yieldToEventLoop();
    yield rows.slice(at, at + PAGE_ROWS).map((row) => rules(row, account));
  }
}

function deliveryAccount({ account, connection }: ResolvedAccount | UnreadableAccount): DeliveryAccount {
  const { id, name, type, masked_number: maskedNumber } = account;
  return { id, name, institution: connection.institution_name, type, maskedNumber };
}

/** An account that fails as soon as it is read. */
function unreadable(one: UnreadableAccount, window: DayWindow): ExportedAccount {
  const refuse = () => Promise.reject(one.error);
  return {
    account: deliveryAccount(one),
    window,
    pages: () => ({ [Symbol.asyncIterator]: () => ({ next: refuse }) }),
    balance: refuse,
    observedAt: () => null,
    takeAside: () => [],
    asideCount: () => 0,
  };
}

async function* exportedPages(
  source: SourceAccount,
  window: DayWindow | null,
  { type, includePending, rules, setAside }: Reading & { readonly setAside: SetAside },
  signal: AbortSignal,
): AsyncGenerator<readonly RuledRow[]> {
  if (window === null) return;
  const asked = { ...window, since: null, includePending, setAside };
  const budget = new EventLoopBudget();
  for await (const page of readAhead((within) => rowPages(source, type, asked, within), signal)) {
    const rows: RuledRow[] = [];
    for (const row of page) {
      if (budget.spent) await budget.yieldToEventLoop();
      const ruled = ruledRow(row, source, rules);
      if (!ruled.skipped) rows.push(ruled);
    }
    yield rows;
  }
}

function ruledRow(row: SourceRow, { account }: SourceAccount, rules: RowRules): RuledRow {
  return isTrade(row) ? plainTrade(row) : rules(row, account.id);
}
