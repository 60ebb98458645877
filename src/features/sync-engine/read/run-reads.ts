import type { DeliveryStream } from '../../../storage/delivery-streams.ts';
import { earliestDay, type KnownRejection } from '../../../storage/rejected-rows.ts';
import type { StreamReading } from '../../../storage/stream-readings.ts';
import type { RowId } from '../../../vocabulary/ids.ts';
import { isDue } from '../deliver/refused-rows.ts';
import type { ReadContext } from '../run/run-context.ts';
import { type AccountRead, countUntil, HistoryCount, nextLook } from './read-outcome.ts';
import { planRange, planRead, planUsual } from './reading-plan.ts';
import type { SourceAccount } from './sync-source.ts';

/** The shortest of the waits after failures, for a sweep that had no turn. */
const SOON = 1;

/** Decides how each account of a run is read, and keeps account of the sweeps among those reads. */
export class RunReads {
  readonly #context: ReadContext;
  /** Streams whose sweep has begun and is not delivered to its end. */
  readonly #sweeping = new Set<number>();
  #turn: Promise<boolean> | null = null;
  #again: number | null = null;

  constructor(context: ReadContext) {
    this.#context = context;
  }

  get unswept(): readonly number[] {
    return [...this.#sweeping];
  }

  /** How soon the next run is wanted (RunResult). */
  get again(): number | null {
    return this.#again;
  }

  /** What to read of the account; asks first what the provider says of its history where that matters. */
  async begin(
    stream: DeliveryStream,
    source: SourceAccount,
    reading: StreamReading,
    now: number,
  ): Promise<AccountRead> {
    const { ledger, limits, sync, range } = this.#context;
    const { id, cursor } = stream;
    const known = await ledger.isKnown(id);
    const { options } = sync;
    const count = new HistoryCount(countUntil(reading.history, now, limits.sync_overlap_days));
    if (range !== null) {
      const plan = planRange({ now, owner: sync.account_record, limits, known, source, options }, range);
      const state = await source.history(this.#context.reading);
      return { plan, state, known, count, gapConfirmed: false };
    }
    const unread = earliestDay(this.#context.rejected.filter((row) => this.#isWanted(row, stream.account)));
    const input = {
      now,
      owner: sync.account_record,
      limits,
      cursor,
      reading,
      known,
      source,
      options,
      unread,
    };
    const wanted = planRead(input);
    const sweeps = cursor !== null && wanted.sweeps.length > 0;
    const allowed = !sweeps || (await this.#takeTurn());
    const plan = allowed ? wanted : planUsual(input);
    if (sweeps && allowed) this.#sweeping.add(id);
    if (!allowed) this.#runAgain(SOON);
    const state = plan.sweeps.length === 0 ? null : await source.history(this.#context.reading);
    // Once a history was whole, the rest after a sweep that did not count decides (read-outcome.ts).
    if (state === 'loading' && cursor === null) this.#runAgain(nextLook(reading.history?.since ?? now, now));
    const gapConfirmed = stream.redelivering && reading.unconfirmedAt !== null;
    return { plan, state, known, count, gapConfirmed };
  }

  /** What the streams' sweeps found is delivered. */
  delivered(streams: readonly number[]): void {
    for (const stream of streams) this.#sweeping.delete(stream);
  }

  /** Whether the read is to reach back to the row. */
  #isWanted(row: KnownRejection, account: RowId<'account'>): boolean {
    return row.account === account && (row.origin === 'provider' || isDue(row, this.#context));
  }

  #runAgain(wait: number | null): void {
    if (wait !== null) this.#again = Math.min(this.#again ?? wait, wait);
  }

  /** Once for all accounts of the run. */
  #takeTurn(): Promise<boolean> {
    this.#turn ??= this.#context.takeSweepTurn();
    return this.#turn;
  }
}
