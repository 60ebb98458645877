import type { RowId } from '../../../vocabulary/ids.ts';
import type { Refusal } from '../../../vocabulary/verifications.ts';
import type { ChunkRow, DeliveryRow, ExistedAs, OutgoingChunk, WrittenChunk } from '../delivery-rows.ts';
import type { DestinationWriter, OpenedSync } from '../destination-contract.ts';
import { DestinationFailure } from '../destination-failure.ts';
import { Budget, type BudgetSource } from './budget.ts';
import {
  changesOf,
  type ExistingTransaction,
  ExistingTransactions,
  isRemovable,
  newTransaction,
  Payees,
  removal,
  type WantedRow,
} from './existing-transactions.ts';
import { isReset } from './failures.ts';
import { type BudgetCurrency, currencyOf, livingCategory, requireOpenAccount } from './open-budget.ts';
import { ActualReading } from './reading.ts';
import { categoriesBySource, decodeRow, encodeRow, importId, sendable } from './rows.ts';
import type { Cell } from './sync-messages.ts';

/** A budget as the writer uses it, as long as no outcome is unknown. */
interface AtHand {
  readonly budget: Budget;
  readonly currency: BudgetCurrency;
  readonly existing: ExistingTransactions;
  readonly payees: Payees;
}

/** What happens to the rows of a chunk, and the cells that do it. */
interface Outcome {
  readonly cells: Cell[];
  readonly refs: Map<string, string>;
  readonly existed: Map<string, ExistedAs>;
  readonly refusals: Map<string, Refusal>;
}

/**
 * Writes the rows of one run into one budget, as a separate client: it reads the budget before it first writes,
 * compares, and sends the differences, each chunk as a whole in one request. Ids are derived from the rows, so a chunk
 * with an unknown outcome is repeated by the same comparison with the current budget.
 */
export class ActualWriter implements DestinationWriter {
  readonly reading: ActualReading;
  readonly #source: BudgetSource;
  readonly #categories: ReadonlyMap<string, string>;
  readonly #places: ReadonlyMap<RowId<'account'>, string>;
  #atHand: AtHand | null = null;

  constructor(source: BudgetSource, sync: OpenedSync) {
    this.#source = source;
    this.reading = new ActualReading(source);
    this.#categories = categoriesBySource(sync.category_mappings);
    this.#places = new Map(
      sync.account_mappings.flatMap(({ account, destination_account: place }) =>
        place === undefined ? [] : [[account, place] as const],
      ),
    );
  }

  encode(row: DeliveryRow): string {
    return encodeRow(row, this.#categories);
  }

  async write(chunk: OutgoingChunk, signal: AbortSignal): Promise<WrittenChunk> {
    try {
      return await this.#written(chunk, signal);
    } catch (error) {
      this.#forget();
      // Nothing was accepted: the budget was reset after it was read, and is read again, once.
      if (isReset(error)) return this.#written(chunk, signal);
      throw error;
    }
  }

  async close(): Promise<void> {
    this.#forget();
  }

  async #written(chunk: OutgoingChunk, signal: AbortSignal): Promise<WrittenChunk> {
    // Changes that a person made since the budget was read affect updates; new rows change nothing that exists.
    if (chunk.updated.length + chunk.removed.length > 0) await this.#atHand?.budget.refresh(signal);
    this.#atHand ??= await atHand(this.#source, signal);
    const { cells, refs, existed, refusals } = this.#outcome(chunk, this.#atHand);
    await this.#atHand.budget.send(cells, signal);
    return { rejected: [...refusals.keys()], refusals, remoteRefs: refs, existed };
  }

  #forget(): void {
    this.#atHand?.budget[Symbol.dispose]();
    this.#atHand = null;
  }

  #outcome(chunk: OutgoingChunk, at: AtHand): Outcome {
    const outcome: Outcome = { cells: [], refs: new Map(), existed: new Map(), refusals: new Map() };
    const { existing } = at;
    for (const source of chunk.added) {
      const wanted = this.#wanted(source, at, outcome);
      if (wanted === null) continue;
      const one = existingOf(source, existing);
      if (one === null) this.#add(source, wanted, chunk, outcome, at);
      else if (chunk.again && wasDeletedSince(one, chunk, existing)) outcome.refs.set(source.id, one.id);
      else {
        const existed = !one.deleted && (!chunk.again || existing.writtenAt(one) < chunk.created);
        const as = this.#show(source, one, wanted, outcome, at);
        if (existed) outcome.existed.set(source.id, as);
      }
    }
    for (const source of chunk.updated) {
      const wanted = this.#wanted(source, at, outcome);
      if (wanted === null) continue;
      const one = existingOf(source, existing);
      if (one === null && source.remoteRef === null) this.#add(source, wanted, chunk, outcome, at);
      // One that a person deleted stays deleted.
      else if (one !== null && !one.deleted) this.#show(source, one, wanted, outcome, at);
    }
    for (const source of chunk.removed) {
      const one = existingOf(source, existing);
      if (one !== null && isRemovable(one, at)) outcome.cells.push(...removal(one));
    }
    return outcome;
  }

  #add(
    { account, id }: ChunkRow,
    wanted: WantedRow,
    chunk: OutgoingChunk,
    outcome: Outcome,
    at: AtHand,
  ): void {
    const transaction = at.existing.freeId(account, id);
    // Rows come newest first or last; within a day their order of arrival is as good as any, and is stable.
    const order = chunk.created - outcome.refs.size;
    outcome.cells.push(...newTransaction(transaction, wanted, order, at.payees));
    outcome.refs.set(id, transaction);
  }

  #show(
    { id }: ChunkRow,
    one: ExistingTransaction,
    wanted: WantedRow,
    outcome: Outcome,
    at: AtHand,
  ): ExistedAs {
    const cells = changesOf(one, wanted, at);
    outcome.cells.push(...cells);
    outcome.refs.set(id, one.id);
    return cells.length === 0 ? 'same' : 'updated';
  }

  /** Null for a row that Actual cannot show, which is rejected. */
  #wanted({ account, id, text }: ChunkRow, at: AtHand, { refusals }: Outcome): WantedRow | null {
    const place = this.#places.get(account);
    if (place === undefined) throw unmapped();
    const open = requireOpenAccount(at.budget, place);
    const row = text === null ? 'size' : sendable(decodeRow(text), at.currency);
    if (typeof row === 'string') {
      refusals.set(id, row);
      return null;
    }
    const mapped = open.offBudget || row.category === null ? null : livingCategory(at.budget, row.category);
    return { row, account: place, importId: importId(account, id), category: mapped };
  }
}

async function atHand(source: BudgetSource, signal: AbortSignal): Promise<AtHand> {
  const budget = await Budget.open(source, signal);
  try {
    const currency = currencyOf(budget);
    return { budget, currency, existing: new ExistingTransactions(budget), payees: new Payees(budget) };
  } catch (error) {
    budget[Symbol.dispose]();
    throw error;
  }
}

/** By the row, else by the transaction's own id, else by the row it replaces. */
function existingOf(
  { account, id, remoteRef, replaces }: ChunkRow,
  existing: ExistingTransactions,
): ExistingTransaction | null {
  const own = replaces === null ? existing.showing(account, id) : null;
  if (own !== null && !own.deleted) return own;
  const byRef = remoteRef === null ? null : existing.byId(remoteRef);
  if (byRef !== null) return byRef;
  return (replaces === null ? null : existing.showing(account, replaces)) ?? existing.showing(account, id);
}

/** Whether a person deleted what an earlier attempt of the chunk wrote. */
function wasDeletedSince(
  one: ExistingTransaction,
  { created }: OutgoingChunk,
  existing: ExistingTransactions,
): boolean {
  const deletedAt = existing.deletedByPersonAt(one);
  return deletedAt !== null && deletedAt >= created;
}

function unmapped(): DestinationFailure {
  return new DestinationFailure(
    'run_failed',
    'A bank account of the sync is mapped to no account of the budget: add it to account_mappings.',
    { outcome: 'refused', retryable: false },
  );
}
