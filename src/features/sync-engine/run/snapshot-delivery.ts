import { randomUUID } from 'node:crypto';
import type { WrittenChunk } from '../../../connectors/destinations/delivery-rows.ts';
import type { DeliveredLine } from '../../../storage/delivery-progress.ts';
import type { DeliveryStream } from '../../../storage/delivery-streams.ts';
import { linesOfRuns } from '../../../storage/sync-runs.ts';
import type { RowId } from '../../../vocabulary/ids.ts';
import { HoldingsDiff } from '../compare/holdings-diff.ts';
import type { ReadCounts, RowChange } from '../compare/row-changes.ts';
import { deliveredChunk, recordedProgress } from '../deliver/chunks.ts';
import { writeSnapshot } from '../deliver/connector-calls.ts';
import { NOTHING_REFUSED } from '../deliver/rejected-rows.ts';
import type { SourceAccount } from '../read/sync-source.ts';
import type { RunContext } from './run-context.ts';
import type { AccountConclusion, RunResult } from './run-ending.ts';

/** Rows of the ledger written by one statement. */
const STATEMENT_ROWS = 500;
/** A snapshot is accepted completely or not at all. */
const TAKEN: WrittenChunk = { rejected: [], remoteRefs: new Map(), existed: new Map() };

/**
 * Delivers positions. What an account holds is written as a whole and replaces what was written before, so no attempt
 * can lose or duplicate a position and no intent is needed. The ledger shows what is new, changed or gone since the
 * last run: it and the counts are recorded after the write, in one statement, together with the fact that the account
 * is done: a later attempt at the run continues with the next one. The methods are those of ChunkedDelivery.
 */
export class SnapshotDelivery {
  readonly #context: RunContext;
  readonly #read: ReadCounts;
  /** Accounts that an earlier attempt delivered completely, with the number of positions it read of each. */
  #done: ReadonlyMap<RowId<'account'>, number> = new Map();
  #delivered = false;

  constructor(context: RunContext, read: ReadCounts) {
    this.#context = context;
    this.#read = read;
  }

  get soFar(): Pick<RunResult, 'unswept' | 'again' | 'refused' | 'delivered'> {
    return { unswept: [], again: null, refused: NOTHING_REFUSED, delivered: this.#delivered };
  }

  async begin(): Promise<void> {
    const { db, run } = this.#context;
    const lines = (await linesOfRuns(db, run.account_record, [run.id])).get(run.id) ?? [];
    const done = lines.filter(({ status }) => status === 'succeeded');
    this.#done = new Map(done.map(({ account, processed }) => [account, processed]));
  }

  /** How many rows an account has, if an earlier attempt delivered it completely; null: it has to be read. */
  passOver(account: RowId<'account'>): number | null {
    const rows = this.#done.get(account) ?? null;
    if (rows !== null) this.#delivered = true;
    return rows;
  }

  async open(stream: DeliveryStream, source: SourceAccount, began: Date) {
    const diff = new HoldingsDiff(this.#context, stream, source);
    const found: RowChange[] = [];
    return {
      diff,
      take: async (changes: readonly RowChange[]): Promise<void> => void found.push(...changes),
      conclude: (): Promise<AccountConclusion> => this.#write(stream, diff, found, began),
    };
  }

  async end(): Promise<void> {}

  async drain(): Promise<void> {}

  /** Only a few positions of an account are gone; they are recognised if they come back. */
  async prune(): Promise<void> {}

  over(): [] {
    return [];
  }

  failure(): null {
    return null;
  }

  async #write(
    { account }: DeliveryStream,
    { snapshot, counts, aside }: HoldingsDiff,
    changes: readonly RowChange[],
    began: Date,
  ): Promise<AccountConclusion> {
    if (snapshot === null) throw new TypeError('the account was not read');
    await writeSnapshot(this.#context, snapshot);
    this.#delivered = true;
    for (let at = 0; at === 0 || at < changes.length; at += STATEMENT_ROWS) {
      const last = at + STATEMENT_ROWS >= changes.length;
      const completed = last ? { completed: counts.processed } : {};
      await this.#record(account, changes.slice(at, at + STATEMENT_ROWS), completed);
    }
    this.#context.progressed();
    return { incomplete: false, cursor: began, reading: null, over: aside.overNow(), hits: new Map() };
  }

  async #record(
    account: RowId<'account'>,
    changes: readonly RowChange[],
    completed: Pick<DeliveredLine, 'completed'>,
  ): Promise<void> {
    const at = new Date(this.#context.clock.now());
    // No intent has this id: there is none to end.
    const delivered = deliveredChunk(randomUUID(), changes, TAKEN, this.#read, at);
    const [counted = { account, added: 0, updated: 0, rejected: 0 }] = delivered.lines;
    await recordedProgress(this.#context, { ...delivered, lines: [{ ...counted, ...completed }] }, null);
  }
}
