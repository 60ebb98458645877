import { versionOf } from '../../../connectors/providers/provider-contract.ts';
import { EventLoopBudget } from '../../../platform/event-loop-budget.ts';
import { isOtherRow, sharedIdOf, withOwnId, withSharedId } from '../../../platform/shared-row-ids.ts';
import { inSpan } from '../../../platform/tracing.ts';
import type { LackingEntry, LedgerEntry } from '../../../storage/delivery-ledger.ts';
import type { DeliveryStream } from '../../../storage/delivery-streams.ts';
import { matchesContent } from '../../../storage/ledger-records.ts';
import type { LocalDate } from '../../../vocabulary/moments.ts';
import type { Transaction } from '../../../vocabulary/transactions.ts';
import { RowsAside } from '../deliver/rejected-rows.ts';
import { PlannedPages, type ReadPlan, readAhead } from '../read/reading-plan.ts';
import type { AccountRead, HistoryCount } from '../read/run-reads.ts';
import { SeenIds } from '../read/seen-ids.ts';
import {
  HitCounts,
  isPending,
  isTrade,
  postingDayOf,
  type RuledRow,
  type RuledTransaction,
  rowDate,
  type SourceRow,
} from '../read/source-row.ts';
import type { RowSource } from '../read/sync-source.ts';
import type { CompareContext } from '../run/run-context.ts';
import { PendingMatches } from './pending-matches.ts';
import {
  coveredDays,
  formerIds,
  isOtherThan,
  type MigratedEntry,
  migratedEntries,
  PAIR_DAYS,
  ReissuedRows,
} from './reissued-rows.ts';
import {
  type ChangesUnderWay,
  changeOf,
  contentMacOf,
  type ReadCounts,
  type RowChange,
  removalOf,
  ruledRow,
} from './row-changes.ts';
import { type VanishedOutcome, VanishedRows } from './vanished-rows.ts';

const FRESH = { fresh: true };
const NONE_MIGRATED: ReadonlyMap<string, MigratedEntry> = new Map();

/** Callbacks for rows that are not sent. */
export interface DiffObserver {
  /** A rule skips the row. */
  skipped(row: RuledTransaction): void;
  /** The row, or position, was already delivered as it is. */
  unchanged(row: RowChange): void;
}

export interface DiffRows {
  /** Changes that were found and are not yet in the ledger. */
  readonly underWay: Pick<ChangesUnderWay, 'has' | 'add'>;
  readonly sent: SeenIds;
  /** Rows that are in an unconfirmed chunk and must not be sent in another. */
  readonly held: ReadonlySet<string>;
  readonly observer?: DiffObserver;
}

/** Reads the transactions or trades of one account, and returns what has to be sent (AccountDiff). */
export class RowsDiff {
  readonly #context: CompareContext;
  readonly #stream: DeliveryStream;
  readonly #source: RowSource;
  readonly #underWay: DiffRows['underWay'];
  readonly #sentIds: SeenIds;
  readonly #pages: PlannedPages;
  readonly #range: ReadPlan['range'];
  readonly #gapConfirmed: boolean;
  /** Which version the rows had that the service has itself when the read began; null for rows of a bank. */
  readonly #version: string | null;
  /** null if the rows show nothing new about the history. */
  readonly #count: HistoryCount | null;
  /**
   * Whether the ledger had no row of the stream when the attempt began; no one else writes to it during the attempt.
   */
  readonly #unknown: boolean;
  readonly #held: ReadonlySet<string>;
  readonly #observer: DiffObserver | null;
  /** Rows of this read, if any may be the former id of another. */
  readonly #listed = new SeenIds();
  /** Ids under which this read showed several rows, up to LIMIT_SHARED_ROW_IDS. */
  readonly #shared = new Set<string>();
  /** Looks for rows that the bank no longer has; null if the read does not show that. */
  readonly #vanished: VanishedRows | null;
  readonly #reissued: ReissuedRows;
  /** Entries of the page that are incomplete. */
  #lacking: LackingEntry[] = [];
  /**
   * How many rows resemble vanished ones, though not one to one: they are sent as new, and the vanished ones are kept.
   */
  ambiguous = 0;
  /** That version, once the last page was read, if they still have it and everything that is missing is removed. */
  version: string | null = null;
  /** The rows that the bank no longer has, once the last page was read. */
  vanished: VanishedOutcome | null = null;
  readonly counts: ReadCounts = { processed: 0, skipped: 0 };
  /** Rows that could not be read. */
  readonly aside: RowsAside;
  /** Hits of rules that skipped rows; those of rows that are sent are part of the change. */
  readonly hits = new HitCounts();

  constructor(
    context: CompareContext,
    stream: DeliveryStream,
    source: RowSource,
    rows: DiffRows,
    { plan, count, state, known, gapConfirmed }: AccountRead,
  ) {
    this.#context = context;
    this.#stream = stream;
    this.#source = source;
    this.#underWay = rows.underWay;
    this.#sentIds = rows.sent;
    this.#held = rows.held;
    this.#observer = rows.observer ?? null;
    this.#unknown = !known;
    this.aside = new RowsAside(stream.account, context);
    this.#pages = new PlannedPages(source, context.sync.type, plan, this.aside.add);
    this.#range = plan.range;
    this.#gapConfirmed = gapConfirmed;
    this.#version = versionOf(state);
    const grows = state !== 'complete' && state !== 'forgotten' && this.#version === null;
    this.#count = stream.cursor === null && grows ? count : null;
    // While the provider still copies the history, or once it deletes what is old, any row may be missing.
    const partial = state === 'loading' || state === 'forgotten';
    this.#vanished = plan.expected === null || partial ? null : new VanishedRows();
    this.#reissued = new ReissuedRows(context.ledger, stream.id, coveredDays(plan), {
      most: context.limits.pending_rows,
      isListed: (id) => this.#isTaken(id) || this.#held.has(id),
    });
  }

  get bankRows(): number {
    return this.counts.processed;
  }

  get unreadable(): ReadonlySet<string> {
    return this.aside.ids;
  }

  /** Raises what the source raises. What happened to pending rows is known, and sent, once the last page is read. */
  async *changes(): AsyncGenerator<readonly RowChange[]> {
    const { ledger, limits, macs, reading } = this.#context;
    const open = (signal: AbortSignal) => this.#pages.read(signal);
    const pending = new PendingMatches(macs, await ledger.provisional(this.#stream.id), limits.pending_rows);
    for await (const page of readAhead(open, reading)) {
      yield this.#registered(await inSpan('compare', {}, () => this.#pageChanges(page, pending)));
    }
    this.counts.processed += this.aside.count;
    for (const id of this.aside.ids) {
      this.#presentUnder([id]);
      this.#listed.add(this.#stream.id, id);
      pending.reported(id);
    }
    yield this.#registered(await this.#appearedChanges(pending));
    yield this.#registered(await this.#removals());
    yield this.#registered(this.#pendingChanges(pending));
  }

  lacks(entry: Pick<LedgerEntry, 'day'> & { readonly source_id: string }): boolean {
    if (this.aside.mayBe(entry.day)) return false;
    return this.#vanished?.lacks(entry, this.#pages.concluded.expected) ?? false;
  }

  #registered(changes: readonly RowChange[]): readonly RowChange[] {
    for (const change of changes) {
      this.#underWay.add(change);
      if (this.#unknown) this.#sentIds.add(change.stream, change.id);
    }
    return changes;
  }

  async #removals(): Promise<RowChange[]> {
    const { ledger, clock, reading } = this.#context;
    const version = this.#version;
    // Rows may have been taken in or out since, or forgotten rather than taken out: the next read decides.
    if (version !== null && versionOf(await this.#source.history(reading)) !== version) return [];
    const bounds = {
      held: this.#held,
      now: clock.now(),
      gapConfirmed: this.#gapConfirmed,
      exact: version !== null,
      mayBeUnreadable: (day: number) => this.aside.mayBe(day),
    };
    this.vanished =
      (await this.#vanished?.outcome(ledger, this.#stream.id, this.#pages.concluded, bounds)) ?? null;
    if (this.vanished?.unfinished !== true) this.version = version;
    const removed = this.vanished?.removed ?? [];
    return removed.map((entry) => removalOf(this.#stream, entry.source_id, entry.remote_ref));
  }

  async #pageChanges(page: readonly SourceRow[], pending: PendingMatches): Promise<RowChange[]> {
    const rows = new Map<string, SourceRow>();
    const { data_from: first } = this.#context.sync.options;
    for (const row of await this.#withOwnIds(page)) {
      if (!isPending(row)) this.#vanished?.saw(row);
      if (!this.#unknown) this.#listed.add(this.#stream.id, row.id);
      this.aside.saw(row.id);
      // A wide read begins before the sync's first day, to see which rows are still there.
      const date = rowDate(row);
      if ((date !== null && date < first) || !this.#isInRange(row, date)) {
        this.#presentUnder(formerIds(row));
        if (isPending(row)) pending.reported(row.id);
        continue;
      }
      this.#count?.add(row);
      // Before the ledger is queried: a change in flight now may be in the ledger by the time it answers.
      if (!this.#isFound(row.id)) rows.set(row.id, row);
    }
    this.counts.processed += rows.size;
    const { ledger } = this.#context;
    const entries = await this.#entriesOf(rows);
    const migrated = this.#unknown
      ? NONE_MIGRATED
      : await migratedEntries(ledger, this.#stream.id, rows, entries, (row, id, entry) =>
          this.#canReplace(row, id, entry),
        );
    const changes: RowChange[] = [];
    this.#lacking = [];
    const budget = new EventLoopBudget();
    for (const row of rows.values()) {
      // Rules take as long as their patterns do, and leases have to be renewed in between.
      if (budget.spent) await budget.yieldToEventLoop();
      const entry = entries.get(row.id);
      if (entry?.provisional === true) pending.reported(row.id);
      const before = migrated.get(row.id);
      if (before !== undefined) {
        this.#presentUnder([before.formerId]);
        if (before.entry.provisional) pending.reported(before.formerId);
      }
      if (this.#held.has(row.id) || (before !== undefined && this.#held.has(before.formerId))) continue;
      const change = this.#rowChange(row, entry, before, pending);
      if (change !== null) changes.push(change);
      else if (entry?.day === null && !entry.provisional) this.#dayLacks(row, entry);
    }
    await this.#complete();
    return this.#reissued.isFull ? [...changes, ...(await this.#appearedChanges(pending))] : changes;
  }

  /** Whether the row was already listed in this attempt and is sent, or held, because of that. */
  #isFound(id: string): boolean {
    return this.#underWay.has(this.#stream.id, id) || this.#reissued.holds(id);
  }

  /**
   * The page, with ids of their own for all rows whose id it shows to be shared. Not even the first keeps the bank's id:
   * which one is listed first may change with every read.
   */
  async #withOwnIds(page: readonly SourceRow[]): Promise<readonly SourceRow[]> {
    const listed = new Map<string, Transaction>();
    const shared = new Set<string>();
    for (const row of page) {
      if (isTrade(row)) continue;
      const before = listed.get(row.id);
      if (before === undefined || isPending(before)) listed.set(row.id, row);
      else if (isOtherRow(before, row)) shared.add(row.id);
    }
    for (const id of shared) await this.#noteShared(id);
    const owned = (row: SourceRow): SourceRow =>
      isTrade(row) ? row : withSharedId(withSharedId(row, shared), this.#shared);
    return shared.size === 0 && this.#shared.size === 0 ? page : page.map(owned);
  }

  async #noteShared(id: string): Promise<void> {
    if (this.#shared.has(id)) return;
    if (this.#shared.size < this.#context.limits.shared_row_ids) this.#shared.add(id);
    await this.#context.noteSharedId(this.#stream.account, id);
  }

  /**
   * Entries of the rows. In `rows`, a row gets an id of its own if it differs from the one delivered under its id, or if
   * it was delivered under its own before: an id once given is kept, whatever the bank lists beside the row.
   */
  async #entriesOf(rows: Map<string, SourceRow>): Promise<ReadonlyMap<string, LedgerEntry>> {
    const { ledger, macs } = this.#context;
    const { id: stream } = this.#stream;
    const entries = await ledger.entries(stream, this.#worthAsking(rows.keys()));
    const others = new Set<string>();
    const owned: { readonly bankId: string; readonly row: Transaction }[] = [];
    for (const [bankId, row] of rows) {
      if (isTrade(row) || isPending(row) || sharedIdOf(bankId) !== null) continue;
      const entry = entries.get(bankId);
      if (entry !== undefined && isOtherThan(row, entry, macs)) others.add(bankId);
      else if (this.#unknown || entry?.retired === false) continue;
      owned.push({ bankId, row: withOwnId(row) });
    }
    if (owned.length === 0) return entries;
    const inFlight = new Set(owned.filter(({ row }) => this.#isFound(row.id)).map(({ row }) => row.id));
    const known = await ledger.entries(
      stream,
      owned.map(({ row }) => row.id),
    );
    for (const { bankId, row } of owned) {
      if (!others.has(bankId) && !known.has(row.id) && !inFlight.has(row.id)) continue;
      await this.#noteShared(bankId);
      rows.delete(bankId);
      this.#presentUnder([row.id]);
      this.#listed.add(stream, row.id);
      if (!inFlight.has(row.id)) rows.set(row.id, row);
    }
    return new Map([...entries, ...known]);
  }

  /** Sends the rows held: as updates of the rows they replace, or else as new ones. */
  async #appearedChanges(pending: PendingMatches): Promise<RowChange[]> {
    const { pairs, unpaired, ambiguous } = await this.#reissued.resolve();
    this.ambiguous += ambiguous;
    const changes = pairs.map(
      ({ appeared: { row }, vanished: { source_id: replaces, remote_ref: remoteRef } }) => {
        this.#presentUnder([replaces]);
        return this.#change(row, 'updated', 'updated', { replaces, remoteRef });
      },
    );
    for (const { row, change } of unpaired) if (!change.fresh || !pending.hold(row)) changes.push(change);
    return changes;
  }

  /** A backfill leaves rows of other days, and pending ones without a day, to the runs that read everything. */
  #isInRange(row: SourceRow, date: LocalDate | null): boolean {
    if (this.#range === null) return true;
    if (date === null) return !isPending(row);
    return date >= this.#range.from && date <= this.#range.to;
  }

  /** A row under a new id is not missing under the former id that it replaces. */
  #presentUnder(ids: readonly string[]): void {
    for (const id of ids) this.#vanished?.sawUnder(id);
  }

  /** Of several rows under one id, the one that was delivered replaces what was delivered. */
  #canReplace(row: SourceRow, formerId: string, entry: LedgerEntry | null): boolean {
    if (isTrade(row) || sharedIdOf(row.id) !== formerId) return entry !== null || !this.#isTaken(formerId);
    if (entry === null) return !this.#underWay.has(this.#stream.id, formerId);
    const day = postingDayOf(row);
    const isNear = day !== null && entry.day !== null && Math.abs(entry.day - day) <= PAIR_DAYS;
    return isNear && (entry.pair_mac === null || entry.pair_mac === this.#context.macs.pair(row));
  }

  /** Whether the id is a row's own, or the former id of one that replaces it. */
  #isTaken(formerId: string): boolean {
    const { id } = this.#stream;
    return this.#listed.mayHave(id, formerId) || this.#underWay.has(id, formerId);
  }

  /** Rows that had no day when they were delivered are looked for once the ledger has their days. */
  #dayLacks(row: SourceRow, { slot }: LedgerEntry): void {
    const day = postingDayOf(row);
    if (day !== null) this.#lacking.push({ slot, day });
  }

  /** Adds to the ledger the days that unchanged rows lacked. */
  async #complete(): Promise<void> {
    const entries = this.#lacking;
    if (entries.length === 0 || (await this.#context.completeEntries(this.#stream.id, entries))) return;
    for (const { day } of entries) this.#vanished?.stands(day);
  }

  /** Ids that the ledger may know: if it was empty at first, only those of this attempt. */
  #worthAsking(ids: Iterable<string>): readonly string[] {
    return this.#unknown ? [...ids].filter((id) => this.#sentIds.mayHave(this.#stream.id, id)) : [...ids];
  }

  #rowChange(
    row: SourceRow,
    entry: LedgerEntry | undefined,
    before: MigratedEntry | undefined,
    pending: PendingMatches,
  ): RowChange | null {
    const ruled = ruledRow(this.#context, row, this.#stream);
    if (ruled.skipped) {
      // What the destination already has of it is kept, also if the row is pending and still reported.
      this.counts.skipped += 1;
      this.hits.addSkipped(ruled, this.#stream.cursor);
      this.#observer?.skipped(ruled);
      return null;
    }
    if (before !== undefined) {
      const { formerId: replaces, entry: known } = before;
      return this.#change(ruled, 'updated', 'updated', { replaces, remoteRef: known.remote_ref });
    }
    if (entry === undefined)
      return this.#appeared(this.#change(ruled, 'new', 'added', FRESH), ruled, pending);
    // It was removed and is back. It was already counted as added.
    if (entry.retired) return this.#appeared(this.#change(ruled, 'new', 'updated'), ruled, pending);
    const change = this.#change(ruled, 'updated', 'updated', { remoteRef: entry.remote_ref });
    if (!matchesContent(entry, change.contentMac) || entry.provisional !== change.provisional)
      return this.#stream.redelivering ? { ...change, change: 'new', countsAs: 'redelivered' } : change;
    this.#observer?.unchanged(change);
    return null;
  }

  /** A row under an id that the destination does not have. It is held if it may be a delivered one under a new id. */
  #appeared(change: RowChange, row: RuledRow, pending: PendingMatches): RowChange | null {
    const { day, pairMac } = change;
    if (
      !this.#unknown &&
      row.kind === 'transaction' &&
      !change.provisional &&
      day !== null &&
      pairMac !== null
    ) {
      const { generation, redelivering } = this.#stream;
      const former = redelivering ? contentMacOf(this.#context, this.#stream, row, generation - 1) : null;
      this.#reissued.hold({ row, change, day, pairMac, formerMac: former });
      return null;
    }
    return change.fresh && pending.hold(row) ? null : change;
  }

  #pendingChanges(pending: PendingMatches): RowChange[] {
    const { upgrades, retired, unclaimed } = pending.resolve();
    return [
      ...unclaimed.map((row) => this.#change(row, 'new', 'added', FRESH)),
      ...upgrades.map(({ from, row }) =>
        this.#change(row, 'updated', 'updated', { replaces: from.source_id, remoteRef: from.remote_ref }),
      ),
      // A backfill cannot tell whether a pending row that is gone was posted on another day.
      ...(this.#range === null ? retired : [])
        .filter((entry) => !this.#held.has(entry.source_id) && !this.aside.mayBe(entry.day))
        .map((entry) => removalOf(this.#stream, entry.source_id, entry.remote_ref)),
    ];
  }

  #change(
    row: RuledRow,
    change: 'new' | 'updated',
    countsAs: 'added' | 'updated' | 'redelivered',
    more: { fresh?: boolean; replaces?: string; remoteRef?: string | null } = {},
  ): RowChange {
    return changeOf(this.#context, this.#stream, this.#source, row, { change, countsAs, ...more });
  }
}
