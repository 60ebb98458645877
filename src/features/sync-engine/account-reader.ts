import { Breath } from '../../platform/breath.ts';
import {
  type DeliveryStream,
  hasEntries,
  type LedgerEntry,
  ledgerEntries,
  provisionalEntries,
} from '../../storage/delivery-ledger.ts';
import type { Transaction } from '../../vocabulary/transactions.ts';
import type { Change, ChangesUnderWay, ReadCounts } from './change.ts';
import { HitCounts } from './hit-counts.ts';
import { PendingMatches } from './pending-matches.ts';
import { readAhead } from './read-ahead.ts';
import { dayOf } from './row-macs.ts';
import type { RuledRow } from './row-rules.ts';
import { type RunContext, windowOf } from './run-context.ts';
import type { SourceAccount } from './sync-source.ts';
import type { ToldRows } from './told-rows.ts';

const FRESH = { fresh: true };

/** Reads one account and says, a page at a time, what the destination has to be told. */
export class AccountReader {
  readonly #context: RunContext;
  readonly #stream: DeliveryStream;
  readonly #source: SourceAccount;
  readonly #underWay: ChangesUnderWay;
  readonly #told: ToldRows;
  /** Whether the ledger had no row of the stream when the attempt began; nobody else writes to it meanwhile. */
  #unknown = false;
  /** Rows that wait in a chunk in doubt and must not travel in another. */
  readonly #held: ReadonlySet<string>;
  readonly counts: ReadCounts = { processed: 0, skipped: 0 };
  /** Of the rules that skipped rows; those of rows that are told of travel with the change. */
  readonly hits = new HitCounts();

  constructor(
    context: RunContext,
    stream: DeliveryStream,
    source: SourceAccount,
    rows: { underWay: ChangesUnderWay; told: ToldRows; held: ReadonlySet<string> },
  ) {
    this.#context = context;
    this.#stream = stream;
    this.#source = source;
    this.#underWay = rows.underWay;
    this.#told = rows.told;
    this.#held = rows.held;
  }

  /** Raises what the source raises. What pending rows became is known, and told, once the last page is read. */
  async *changes(): AsyncGenerator<readonly Change[]> {
    const { db, macs, reading } = this.#context;
    const window = windowOf(this.#context, this.#stream.cursor, this.#source);
    this.#unknown = !(await hasEntries(db, this.#stream.id));
    const pending = new PendingMatches(macs, await provisionalEntries(db, this.#stream.id));
    for await (const page of readAhead((signal) => this.#source.pages(window, signal), reading)) {
      yield this.#registered(await this.#pageChanges(page, pending));
    }
    yield this.#registered(this.#pendingChanges(pending));
  }

  #registered(changes: readonly Change[]): readonly Change[] {
    for (const change of changes) {
      this.#underWay.add(change);
      if (this.#unknown) this.#told.add(change.stream, change.id);
    }
    return changes;
  }

  async #pageChanges(page: readonly Transaction[], pending: PendingMatches): Promise<Change[]> {
    const rows = new Map<string, Transaction>();
    for (const row of page) {
      // Before the ledger is asked: what is under way now may be in the ledger by the time it answers.
      if (!this.#underWay.has(this.#stream.id, row.id)) rows.set(row.id, row);
    }
    this.counts.processed += rows.size;
    const entries = await ledgerEntries(this.#context.db, this.#stream.id, this.#worthAsking(rows.keys()));
    const changes: Change[] = [];
    const breath = new Breath();
    for (const row of rows.values()) {
      // Rules take as long as their patterns do, and leases have to be renewed meanwhile.
      if (breath.due) await breath.take();
      const entry = entries.get(row.id);
      if (entry?.provisional === true) pending.reported(row.id);
      if (this.#held.has(row.id)) continue;
      const change = this.#rowChange(row, entry, pending);
      if (change !== null) changes.push(change);
    }
    return changes;
  }

  /** Ids that the ledger may know: it can only have learned of them from this attempt if it began without any. */
  #worthAsking(ids: Iterable<string>): readonly string[] {
    return this.#unknown ? [...ids].filter((id) => this.#told.mayHave(this.#stream.id, id)) : [...ids];
  }

  #rowChange(row: Transaction, entry: LedgerEntry | undefined, pending: PendingMatches): Change | null {
    const ruled = this.#context.rules(row, this.#stream.account);
    if (ruled.skipped) {
      // What the destination has of it from before stays there, also when the row is pending and still reported.
      this.counts.skipped += 1;
      this.hits.addSkipped(ruled, this.#stream.cursor);
      return null;
    }
    if (entry === undefined) return pending.hold(ruled) ? null : this.#tell(ruled, 'new', 'added', FRESH);
    // It was listed as removed and is back. It was counted as added once.
    if (entry.retired) return this.#tell(ruled, 'new', 'updated');
    const change = this.#tell(ruled, 'updated', 'updated', { remoteRef: entry.remote_ref });
    const known = Buffer.from(entry.content_mac).toString('hex');
    return known === change.contentMac && entry.provisional === change.provisional ? null : change;
  }

  #pendingChanges(pending: PendingMatches): Change[] {
    const { upgrades, retired, unclaimed } = pending.resolve();
    return [
      ...unclaimed.map((row) => this.#tell(row, 'new', 'added', FRESH)),
      ...upgrades.map(({ from, row }) =>
        this.#tell(row, 'updated', 'updated', { replaces: from.source_id, remoteRef: from.remote_ref }),
      ),
      ...retired
        .filter((entry) => !this.#held.has(entry.source_id))
        .map((entry) => removalOf(this.#stream, entry.source_id, entry.remote_ref)),
    ];
  }

  #tell(
    row: RuledRow,
    change: 'new' | 'updated',
    countsAs: 'added' | 'updated',
    more: { fresh?: boolean; replaces?: string; remoteRef?: string | null } = {},
  ): Change {
    return changeOf(this.#context, this.#stream, this.#source, row, { change, countsAs, ...more });
  }
}

/** A row as a change, encoded for the destination. */
export function changeOf(
  context: Pick<RunContext, 'macs' | 'writer'>,
  stream: DeliveryStream,
  source: SourceAccount,
  row: RuledRow,
  more: {
    change: 'new' | 'updated';
    countsAs: 'added' | 'updated';
    fresh?: boolean;
    replaces?: string | null;
    remoteRef?: string | null;
  },
): Change {
  const { transaction, customCategory, memo, tags } = row;
  const provisional = transaction.status === 'pending';
  const replaces = more.replaces ?? null;
  return {
    stream: stream.id,
    account: stream.account,
    id: transaction.id,
    change: more.change,
    fresh: more.fresh ?? false,
    countsAs: more.countsAs,
    text: context.writer.encode({
      account: source.account,
      transaction,
      customCategory,
      memo,
      tags,
      replaces,
    }),
    contentMac: context.macs.content(row),
    replaces,
    provisional,
    matchMac: provisional ? context.macs.match(row) : null,
    matchDay: provisional ? dayOf(row) : null,
    remoteRef: more.remoteRef ?? null,
    hits: row.hits,
  };
}

/** A pending row that is no more. */
export function removalOf(stream: DeliveryStream, id: string, remoteRef: string | null): Change {
  return {
    stream: stream.id,
    account: stream.account,
    id,
    change: 'removed',
    fresh: false,
    countsAs: 'updated',
    text: null,
    contentMac: '',
    replaces: null,
    provisional: true,
    matchMac: null,
    matchDay: null,
    remoteRef,
    hits: [],
  };
}
