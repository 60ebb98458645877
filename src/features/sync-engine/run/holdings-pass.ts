import { randomUUID } from 'node:crypto';
import type { DeliveredLine } from '../../../storage/delivery-progress.ts';
import type { DeliveryStream } from '../../../storage/delivery-streams.ts';
import { linesOfRuns } from '../../../storage/sync-runs.ts';
import type { ErrorCode } from '../../../vocabulary/error-codes.ts';
import type { RowId } from '../../../vocabulary/ids.ts';
import { ServiceError } from '../../../vocabulary/service-error.ts';
import type { ReadCounts } from '../compare/change.ts';
import { type HoldingChange, holdingChanges, readHoldings } from '../compare/holding-changes.ts';
import { NOTHING_REFUSED } from '../deliver/refused-rows.ts';
import { RowsAside } from '../read/rows-aside.ts';
import type { SyncSource } from '../read/sync-source.ts';
import { AccountResults } from './account-results.ts';
import { recordedProgress } from './recorded-progress.ts';
import type { RunContext } from './run-context.ts';
import type { RunPass } from './run-pass.ts';
import type { AccountResult, RunFailure, RunResult } from './run-result.ts';
import { finishDestination, writeSnapshot } from './run-tail.ts';

/** Rows of the ledger written by one statement. */
const STATEMENT_ROWS = 500;
const NO_HITS = new Map<never, never>();

/**
 * One pass over a sync of holdings. What an account holds is written whole, in the place of what was written of it
 * before, so no attempt can lose or double a position and no intent is needed. The ledger says what is new, changed or
 * gone since the last run: it and the counts are recorded after the write, in one statement, and with them that the
 * account is done: a later attempt at the run goes on with the next one.
 */
export class HoldingsPass implements Pick<RunPass, 'work' | 'soFar'> {
  readonly #context: RunContext;
  readonly #source: SyncSource;
  readonly #streams: readonly DeliveryStream[];
  readonly #results: AccountResults;
  #delivered = false;

  constructor(context: RunContext, source: SyncSource, streams: readonly DeliveryStream[]) {
    this.#context = context;
    this.#source = source;
    this.#streams = streams.filter((stream) => stream.present);
    this.#results = new AccountResults(source, context.run.account_record);
  }

  /** Raises DestinationFailure, LeaseLost, what storage raises, or the reason of an abort. */
  async work(): Promise<RunResult> {
    const done = await this.#completed();
    for (const stream of this.#streams) {
      const rows = done.get(stream.account);
      if (rows === undefined) await this.#copyAccount(stream);
      else this.#passOver(stream, rows);
    }
    const { delivered } = this.soFar();
    const ended = { read: this.#results.succeeded, delivered };
    await finishDestination(this.#context, this.#source, this.#streams, ended);
    await this.#results.noteLost();
    return { ...this.soFar(), accounts: this.#results.all, failure: this.#failure() };
  }

  soFar(): Omit<RunResult, 'failure'> {
    const { read, lines, aside } = this.#results;
    const none = { accounts: [], unswept: [], again: null, refused: NOTHING_REFUSED };
    return { ...none, lines, read, aside, delivered: this.#delivered };
  }

  /** Accounts that an earlier attempt delivered to their end, with how many positions it read of each. */
  async #completed(): Promise<ReadonlyMap<RowId<'account'>, number>> {
    const { db, run } = this.#context;
    const lines = (await linesOfRuns(db, run.account_record, [run.id])).get(run.id) ?? [];
    const done = lines.filter(({ status }) => status === 'succeeded');
    return new Map(done.map(({ account, processed }) => [account, processed]));
  }

  #passOver(stream: DeliveryStream, processed: number): void {
    const counts = this.#results.begin(stream.account);
    this.#results.count(counts, { processed, skipped: 0 });
    this.#delivered = true;
    // When it was read is not recorded: certainly after the run began.
    this.#add(stream, { failure: null, counts, cursor: this.#context.run.started_at, over: [] });
  }

  async #copyAccount(stream: DeliveryStream): Promise<void> {
    const { clock, reading } = this.#context;
    reading.throwIfAborted();
    const counts = this.#results.begin(stream.account);
    const began = new Date(clock.now());
    let failure: ErrorCode | null = null;
    const aside = new RowsAside(stream.account, this.#context);
    this.#results.watch(stream.account, aside);
    try {
      await this.#copy(stream, counts, aside);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      failure = error.code;
      await this.#results.failed(stream.account, failure);
    }
    const over = failure === null ? aside.overNow() : [];
    this.#add(stream, { failure, counts, cursor: failure === null ? began : null, over });
  }

  #add(stream: DeliveryStream, result: Pick<AccountResult, 'failure' | 'counts' | 'cursor' | 'over'>): void {
    this.#results.add({
      account: stream.account,
      stream: stream.id,
      ...result,
      incomplete: false,
      from: this.#context.sync.options.data_from,
      places: this.#context.places.summary(stream.account),
      reading: null,
      hits: NO_HITS,
    });
  }

  async #copy(stream: DeliveryStream, counts: ReadCounts, aside: RowsAside): Promise<void> {
    const { clock, run, reading } = this.#context;
    const opened = await this.#source.open(run.account_record, stream.account);
    const { account } = opened;
    const readAt = clock.now();
    const holdings = await readHoldings(opened, reading, aside.add);
    const processed = holdings.length + aside.count;
    this.#results.count(counts, { processed, skipped: 0 });
    const changes = await holdingChanges(this.#context, stream.id, holdings);
    await writeSnapshot(this.#context, { kind: 'holdings', account, readAt, holdings });
    this.#delivered = true;
    for (let at = 0; at === 0 || at < changes.length; at += STATEMENT_ROWS) {
      const last = at + STATEMENT_ROWS >= changes.length;
      const completed = last ? { completed: processed } : {};
      await this.#record(stream, changes.slice(at, at + STATEMENT_ROWS), completed);
    }
    this.#context.progressed();
  }

  async #record(
    { account }: DeliveryStream,
    changes: readonly HoldingChange[],
    completed: Pick<DeliveredLine, 'completed'>,
  ): Promise<void> {
    const { clock } = this.#context;
    const count = (as: HoldingChange['counted']): number =>
      changes.filter(({ counted }) => counted === as).length;
    const line = { account, added: count('added'), updated: count('updated'), rejected: 0, ...completed };
    const delivered = {
      // No intent has this id: there is none to end.
      eventId: randomUUID(),
      ledger: changes.map(({ write }) => write),
      lines: [line],
      read: this.#results.read,
      hits: { at: new Date(clock.now()), counts: NO_HITS },
    };
    await recordedProgress(this.#context, delivered, null);
  }

  #failure(): RunFailure | null {
    const { failure } = this.#results;
    return failure === null ? null : { ...failure, fault: 'none' };
  }
}
