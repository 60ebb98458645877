import { EventLoopBudget } from '../../platform/event-loop-budget.ts';
import type { LedgerEntry } from '../../storage/delivery-ledger.ts';
import type { DeliveryStream } from '../../storage/delivery-streams.ts';
import type { LocalDate } from '../../vocabulary/moments.ts';
import type { ChangesUnderWay, ReadCounts } from './change.ts';
import type { HistoryCount } from './history-assessment.ts';
import { HitCounts } from './hit-counts.ts';
import { formerIds, type MigratedEntry, migratedEntries } from './migrated-rows.ts';
import { PendingMatches } from './pending-matches.ts';
import { PlannedPages } from './planned-pages.ts';
import { readAhead } from './read-ahead.ts';
import type { AccountRead } from './read-outcome.ts';
import type { ReadPlan } from './reading-plan.ts';
import { changeOf, type RowChange, removalOf, ruledRow } from './row-changes.ts';
import type { RuledRow, RuledTransaction } from './row-rules.ts';
import type { ReadContext } from './run-context.ts';
import { SeenIds } from './seen-ids.ts';
import { isPending, postingDayOf, rowDate, type SourceRow } from './source-row.ts';
import type { SourceAccount } from './sync-source.ts';
import { type VanishedOutcome, VanishedRows } from './vanished-rows.ts';

const FRESH = { fresh: true };
const NONE_MIGRATED: ReadonlyMap<string, MigratedEntry> = new Map();

/** What a reader of the comparison may want of rows that are not sent. */
export interface DiffObserver {
  /** A rule keeps the row from the destination. */
  skipped(row: RuledTransaction): void;
  /** The row was delivered as it is. */
  unchanged(row: RowChange): void;
}

export interface DiffRows {
  /** Changes that were found and are not in the ledger yet. */
  readonly underWay: Pick<ChangesUnderWay, 'has' | 'add'>;
  readonly sent: SeenIds;
  /** Rows that wait in a chunk in doubt and must not travel in another. */
  readonly held: ReadonlySet<string>;
  readonly observer?: DiffObserver;
}

/**
 * Reads one account and says, a page at a time, what has to be sent to the destination. Runs, dry runs and
 * verifications read and compare with this and nothing else, so they find the same.
 */
export class AccountDiff {
  readonly #context: ReadContext;
  readonly #stream: DeliveryStream;
  readonly #source: SourceAccount;
  readonly #underWay: DiffRows['underWay'];
  readonly #sentIds: SeenIds;
  readonly #pages: PlannedPages;
  readonly #range: ReadPlan['range'];
  /** null where the rows say nothing about the history that is not known. */
  readonly #count: HistoryCount | null;
  /** Whether the ledger had no row of the stream when the attempt began; nobody else writes to it meanwhile. */
  readonly #unknown: boolean;
  readonly #held: ReadonlySet<string>;
  readonly #observer: DiffObserver | null;
  /** Rows of this read, where any may be the former id of another. */
  readonly #listed = new SeenIds();
  /** Looks for rows that the bank has no more; null where the read does not show it. */
  readonly #vanished: VanishedRows | null;
  /** What became of that, once the last page was read. */
  vanished: VanishedOutcome | null = null;
  readonly counts: ReadCounts = { processed: 0, skipped: 0 };
  /** Of the rules that skipped rows; those of rows that are sent travel with the change. */
  readonly hits = new HitCounts();

  constructor(
    context: ReadContext,
    stream: DeliveryStream,
    source: SourceAccount,
    rows: DiffRows,
    { plan, count, state, known }: AccountRead,
  ) {
    this.#context = context;
    this.#stream = stream;
    this.#source = source;
    this.#underWay = rows.underWay;
    this.#sentIds = rows.sent;
    this.#held = rows.held;
    this.#observer = rows.observer ?? null;
    this.#unknown = !known;
    this.#pages = new PlannedPages(source, context.sync.type, plan);
    this.#range = plan.range;
    this.#count = stream.cursor === null && state !== 'complete' ? count : null;
    // While the provider still copies the history, any row may be missing.
    this.#vanished = plan.expected === null || state === 'loading' ? null : new VanishedRows();
  }

  /** Raises what the source raises. What pending rows became is known, and sent, once the last page is read. */
  async *changes(): AsyncGenerator<readonly RowChange[]> {
    const { ledger, limits, macs, reading } = this.#context;
    const open = (signal: AbortSignal) => this.#pages.read(signal);
    const pending = new PendingMatches(macs, await ledger.provisional(this.#stream.id), limits.pending_rows);
    for await (const page of readAhead(open, reading)) {
      yield this.#registered(await this.#pageChanges(page, pending));
    }
    yield this.#registered(await this.#removals());
    yield this.#registered(this.#pendingChanges(pending));
  }

  /** Whether a posted row of the ledger was to be among those read and is not; to be asked once all was read. */
  lacks(entry: Pick<LedgerEntry, 'day'> & { readonly source_id: string }): boolean {
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
    const { ledger, clock } = this.#context;
    const bounds = { held: this.#held, now: clock.now() };
    this.vanished =
      (await this.#vanished?.outcome(ledger, this.#stream.id, this.#pages.concluded, bounds)) ?? null;
    const removed = this.vanished?.removed ?? [];
    return removed.map((entry) => removalOf(this.#stream, entry.source_id, entry.remote_ref));
  }

  async #pageChanges(page: readonly SourceRow[], pending: PendingMatches): Promise<RowChange[]> {
    const rows = new Map<string, SourceRow>();
    const { data_from: first } = this.#context.sync.options;
    for (const row of page) {
      if (!isPending(row)) this.#vanished?.saw(row);
      if (!this.#unknown) this.#listed.add(this.#stream.id, row.id);
      // A wide read begins before the sync's first day, so that it knows which rows are still there.
      const date = rowDate(row);
      if ((date !== null && date < first) || !this.#isInRange(row, date)) {
        this.#standsUnder(formerIds(row));
        if (isPending(row)) pending.reported(row.id);
        continue;
      }
      this.#count?.add(row);
      // Before the ledger is asked: what is under way now may be in the ledger by the time it answers.
      if (!this.#underWay.has(this.#stream.id, row.id)) rows.set(row.id, row);
    }
    this.counts.processed += rows.size;
    const { ledger } = this.#context;
    const entries = await ledger.entries(this.#stream.id, this.#worthAsking(rows.keys()));
    const migrated = this.#unknown
      ? NONE_MIGRATED
      : await migratedEntries(ledger, this.#stream.id, rows, entries, (id) => this.#isTaken(id));
    const changes: RowChange[] = [];
    const undated: { slot: number; day: number }[] = [];
    const budget = new EventLoopBudget();
    for (const row of rows.values()) {
      // Rules take as long as their patterns do, and leases have to be renewed meanwhile.
      if (budget.spent) await budget.yieldToEventLoop();
      const entry = entries.get(row.id);
      if (entry?.provisional === true) pending.reported(row.id);
      const before = migrated.get(row.id);
      if (before !== undefined) {
        this.#standsUnder([before.formerId]);
        if (before.entry.provisional) pending.reported(before.formerId);
      }
      if (this.#held.has(row.id) || (before !== undefined && this.#held.has(before.formerId))) continue;
      const change = this.#rowChange(row, entry, before, pending);
      if (change !== null) changes.push(change);
      else if (entry?.day === null && !entry.provisional) undated.push(...dated(row, entry));
    }
    await this.#keepDays(undated);
    return changes;
  }

  /** A backfill leaves rows of other days, and pending ones of no day, to the runs that read everything. */
  #isInRange(row: SourceRow, date: LocalDate | null): boolean {
    if (this.#range === null) return true;
    if (date === null) return !isPending(row);
    return date >= this.#range.from && date <= this.#range.to;
  }

  /** A row under a new id is no reason to miss it under the id it had before, and whose place it takes. */
  #standsUnder(ids: readonly string[]): void {
    for (const id of ids) this.#vanished?.sawUnder(id);
  }

  /** Whether the id is a row's own, or was another's that takes its place. */
  #isTaken(formerId: string): boolean {
    const { id } = this.#stream;
    return this.#listed.mayHave(id, formerId) || this.#underWay.has(id, formerId);
  }

  /** Rows that were delivered before the ledger kept days are looked for once it has theirs. */
  async #keepDays(days: readonly { readonly slot: number; readonly day: number }[]): Promise<void> {
    if (days.length === 0 || (await this.#context.keepDays(this.#stream.id, days))) return;
    for (const { day } of days) this.#vanished?.stands(day);
  }

  /** Ids that the ledger may know: it can only have learned of them from this attempt if it began without any. */
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
      // What the destination has of it from before stays there, also when the row is pending and still reported.
      this.counts.skipped += 1;
      this.hits.addSkipped(ruled, this.#stream.cursor);
      this.#observer?.skipped(ruled);
      return null;
    }
    if (before !== undefined) {
      const { formerId: replaces, entry: known } = before;
      return this.#change(ruled, 'updated', 'updated', { replaces, remoteRef: known.remote_ref });
    }
    if (entry === undefined) return pending.hold(ruled) ? null : this.#change(ruled, 'new', 'added', FRESH);
    // It was listed as removed and is back. It was counted as added once.
    if (entry.retired) return this.#change(ruled, 'new', 'updated');
    const change = this.#change(ruled, 'updated', 'updated', { remoteRef: entry.remote_ref });
    if (entry.content_mac !== change.contentMac || entry.provisional !== change.provisional) return change;
    this.#observer?.unchanged(change);
    return null;
  }

  #pendingChanges(pending: PendingMatches): RowChange[] {
    const { upgrades, retired, unclaimed } = pending.resolve();
    return [
      ...unclaimed.map((row) => this.#change(row, 'new', 'added', FRESH)),
      ...upgrades.map(({ from, row }) =>
        this.#change(row, 'updated', 'updated', { replaces: from.source_id, remoteRef: from.remote_ref }),
      ),
      // Of a pending row that is gone, a backfill cannot tell whether it was posted on another day.
      ...(this.#range === null ? retired : [])
        .filter((entry) => !this.#held.has(entry.source_id))
        .map((entry) => removalOf(this.#stream, entry.source_id, entry.remote_ref)),
    ];
  }

  #change(
    row: RuledRow,
    change: 'new' | 'updated',
    countsAs: 'added' | 'updated',
    more: { fresh?: boolean; replaces?: string; remoteRef?: string | null } = {},
  ): RowChange {
    return changeOf(this.#context, this.#stream, this.#source, row, { change, countsAs, ...more });
  }
}

function dated(row: SourceRow, { slot }: LedgerEntry): { slot: number; day: number }[] {
  const day = postingDayOf(row);
  return day === null ? [] : [{ slot, day }];
}
