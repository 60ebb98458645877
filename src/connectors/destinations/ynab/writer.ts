import type { Clock } from '../../../platform/clock.ts';
import type { RowId } from '../../../vocabulary/ids.ts';
import { addDays, type LocalDate, localDateAt } from '../../../vocabulary/moments.ts';
import type { ChunkRow, DeliveryRow, ExistedAs, OutgoingChunk, WrittenChunk } from '../delivery-rows.ts';
import type {
  DestinationOpening,
  DestinationWriter,
  OpenedSync,
  TargetInspection,
  TargetReading,
} from '../destination-contract.ts';
import { DestinationFailure } from '../destination-failure.ts';
import type { YnabApi } from './client.ts';
import {
  type ExistingTransaction,
  ExistingTransactions,
  earlierDay,
  type ReadTransactions,
} from './existing-transactions.ts';
import { ynabReading } from './reading.ts';
import { categoriesBySource, decodeRow, encodeRow, importIds, refusalOf, takenDays } from './rows.ts';
import { ExistingClaims, OpenPlan, type PlacedRow, type SortedChunk, sortedChunk } from './sorted-chunk.ts';
import { changeOf, isRemovable, newTransaction, TransactionWrites } from './transaction-writes.ts';

/** A row that posts may exist some days earlier, as pending, and a person may have moved it by some days. */
const SLACK_DAYS = 10;
/** Days on which a row that is gone most likely is: nearly all were pending. */
const RECENT_DAYS = 45;

/** A row to import. */
type NewRow = PlacedRow & { readonly importId: string };

/** What happens to the rows of a chunk, determined before anything is sent. */
interface Outcome {
  readonly refs: Map<string, string>;
  readonly existed: Map<string, ExistedAs>;
  readonly changes: {
    readonly placed: PlacedRow;
    readonly change: NonNullable<ReturnType<typeof changeOf>>;
  }[];
  readonly fresh: NewRow[];
  /** Source ids of new rows whose import ids all belong to other rows now. */
  readonly unimportable: string[];
  readonly gone: ExistingTransaction[];
}

/**
 * Writes the rows of one run into one plan. YNAB recognises a row by its import id, but within one account only, so the
 * writer reads what is in the plan before it first writes: a row whose account has since been mapped to another is
 * moved and never imported twice.
 */
export class YnabWriter implements DestinationWriter {
  readonly #api: YnabApi;
  readonly #planId: string;
  readonly #sync: OpenedSync;
  readonly #clock: Clock;
  readonly #categories: ReadonlyMap<string, string>;
  readonly #places: ReadonlyMap<RowId<'account'>, string>;
  #plan: OpenPlan | null = null;
  readonly #existing: ExistingTransactions;
  readonly #claims: ExistingClaims;
  readonly #writes: TransactionWrites;
  readonly reading: TargetReading;

  constructor(
    api: YnabApi,
    plan: string,
    { sync, recorded }: Pick<DestinationOpening, 'sync' | 'recorded'>,
    clock: Clock,
  ) {
    this.#api = api;
    this.#planId = plan;
    this.#sync = sync;
    this.#clock = clock;
    const today = () => this.#today();
    const read: ReadTransactions = (since, until, signal) => api.transactions(plan, since, until, signal);
    this.#existing = new ExistingTransactions(read, today);
    this.reading = ynabReading(read, sync, today, (signal) => this.#inspected(signal));
    this.#claims = new ExistingClaims(this.#existing, recorded);
    this.#writes = new TransactionWrites(api, plan, today);
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
    this.#plan ??= await OpenPlan.read(this.#api, this.#planId, signal);
    const sorted = sortedChunk(chunk, this.#plan, this.#places, takenDays(this.#clock.now()));
    await this.#existing.reach(this.#firstDay(chunk, sorted), signal);
    if (this.#hasUnknown(chunk, sorted)) await this.#existing.reachAll(this.#wholeSync(sorted), signal);
    await this.#claims.ask(sorted.added);
    const outcome = this.#outcome(chunk, sorted);
    const answered = this.#writes.answered;
    try {
      return await this.#sent(chunk, sorted, outcome, signal);
    } catch (error) {
      throw this.#writes.answered > answered ? partly(error) : error;
    }
  }

  async close(): Promise<void> {}

  async #inspected(signal: AbortSignal): Promise<TargetInspection> {
    const { currency } = await OpenPlan.read(this.#api, this.#planId, signal);
    const days = takenDays(this.#clock.now());
    return { lacking: [], refusal: (text) => refusalOf(decodeRow(text), currency, days) };
  }

  /** How far back to look for the chunk's rows: over the whole sync if more chunks follow. */
  #firstDay(chunk: OutgoingChunk, sorted: SortedChunk): LocalDate {
    if (chunk.total !== chunk.number) return this.#wholeSync(sorted);
    const rows = [...sorted.added, ...sorted.updated];
    const recent = addDays(this.#today(), rows.length === 0 ? -RECENT_DAYS : 0);
    return addDays(
      rows.reduce((day, { row }) => earlierDay(day, row.date), recent),
      -SLACK_DAYS,
    );
  }

  #wholeSync({ added, updated }: SortedChunk): LocalDate {
    const first = [...added, ...updated].reduce(
      (day, { row }) => earlierDay(day, row.date),
      this.#sync.options.data_from,
    );
    return addDays(first, -SLACK_DAYS);
  }

  /** Whether a row that was written is not among those known. */
  #hasUnknown({ removed }: OutgoingChunk, { added, updated }: SortedChunk): boolean {
    return (
      added.some(({ source }) => source.remoteRef !== null && this.#byRef(source) === null) ||
      updated.some(
        ({ source, account }) =>
          (source.remoteRef !== null && this.#byRef(source) === null) ||
          this.#existingOf(source, account) === null,
      ) ||
      removed.some((row) => this.#existingOf(row, '') === null)
    );
  }

  /** By YNAB's own id, else by the import id of the row or of the row it replaces. */
  #existingOf(row: ChunkRow, account: string): ExistingTransaction | null {
    const { account: bank, id, replaces } = row;
    const byRef = this.#byRef(row);
    if (byRef !== null) return byRef;
    for (const source of replaces === null ? [id] : [replaces, id]) {
      const { posted, pending } = importIds(bank, source);
      for (const one of [...posted, ...pending]) {
        const found = this.#existing.byImport(one, account);
        if (found !== null) return found;
      }
    }
    return null;
  }

  #byRef({ remoteRef }: ChunkRow): ExistingTransaction | null {
    return remoteRef === null ? null : this.#existing.byId(remoteRef);
  }

  #outcome(chunk: OutgoingChunk, sorted: SortedChunk): Outcome {
    const outcome: Outcome = {
      refs: new Map(),
      existed: new Map(),
      changes: [],
      fresh: [],
      unimportable: [],
      gone: [],
    };
    const add = (placed: PlacedRow): void => {
      const importId = this.#claims.freeId(placed);
      if (importId === null) outcome.unimportable.push(placed.source.id);
      else outcome.fresh.push({ ...placed, importId });
    };
    const shown = (placed: PlacedRow, found: ExistingTransaction): ExistedAs => {
      const change = changeOf(found, placed.row, placed.account);
      outcome.refs.set(placed.source.id, found.id);
      this.#claims.note(found, placed.source.id);
      if (change !== null) outcome.changes.push({ placed, change });
      return change === null ? 'same' : 'updated';
    };
    for (const placed of sorted.added) {
      const found = this.#byRef(placed.source) ?? this.#claims.of(placed);
      if (found === null) {
        add(placed);
        continue;
      }
      const as = shown(placed, found);
      // YNAB does not say when it was created: an earlier attempt of the chunk may have written it.
      if (!chunk.again) outcome.existed.set(placed.source.id, as);
    }
    for (const placed of sorted.updated) {
      const found = this.#existingOf(placed.source, placed.account);
      if (found !== null) shown(placed, found);
      // A row that was certainly written and is missing was deleted by a person, and stays deleted.
      else if (placed.source.remoteRef === null) add(placed);
    }
    for (const row of chunk.removed) {
      const found = this.#existingOf(row, '');
      if (found !== null && isRemovable(found)) outcome.gone.push(found);
    }
    return outcome;
  }

  async #sent(
    chunk: OutgoingChunk,
    { unsendable }: SortedChunk,
    { refs, existed, changes, fresh, unimportable, gone }: Outcome,
    signal: AbortSignal,
  ): Promise<WrittenChunk> {
    const rejected = [...unsendable.keys(), ...unimportable];
    const refused = ({ id }: ChunkRow): void => {
      rejected.push(id);
      refs.delete(id);
      existed.delete(id);
    };
    await this.#writes.update(
      changes.map(({ change }) => change),
      {
        signal,
        saved: (transaction) => this.#existing.note(transaction),
        refused: (change) => {
          for (const { placed } of changes.filter((one) => one.change.id === change.id))
            refused(placed.source);
        },
      },
    );
    for (const one of gone) {
      await this.#writes.remove(one.id, signal);
      this.#existing.forget(one.id);
    }
    const duplicates = new Set<string>();
    const byImport = new Map(fresh.map((placed) => [placed.importId, placed]));
    await this.#writes.create(
      fresh.map(({ row, account, importId: id }) => newTransaction(row, account, id)),
      {
        signal,
        saved: (transaction) => {
          this.#existing.noteImported(transaction);
          const placed = byImport.get(transaction.import_id ?? '');
          if (placed !== undefined) refs.set(placed.source.id, transaction.id);
        },
        duplicate: (id) => duplicates.add(id),
        refused: ({ import_id: id }) => {
          const placed = byImport.get(id);
          if (placed !== undefined) refused(placed.source);
        },
      },
    );
    const dropped = new Set(rejected);
    const unnamed = fresh.filter(({ source: { id } }) => !refs.has(id) && !dropped.has(id));
    await this.#lookAgain(unnamed, duplicates, signal, {
      found: ({ source }, { id }) => refs.set(source.id, id),
      deleted: ({ source }) => {
        if (!chunk.again) existed.set(source.id, 'same');
      },
    });
    return { rejected, refusals: unsendable, remoteRefs: refs, existed };
  }

  /**
   * Rows that were not there when the writer looked, and that YNAB then did not import: those that exist now came from
   * an attempt whose answer was lost; the others were deleted by a person, and YNAB imports no id twice.
   */
  async #lookAgain(
    rows: readonly NewRow[],
    duplicates: ReadonlySet<string>,
    signal: AbortSignal,
    callbacks: {
      readonly found: (placed: PlacedRow, existing: ExistingTransaction) => void;
      readonly deleted: (placed: PlacedRow) => void;
    },
  ): Promise<void> {
    if (rows.length === 0) return;
    const first = rows.reduce((day, { row }) => earlierDay(day, row.date), this.#today());
    await this.#existing.refresh(addDays(first, -SLACK_DAYS), signal);
    for (const placed of rows) {
      const found = this.#existing.byImport(placed.importId, placed.account);
      if (found !== null) callbacks.found(placed, found);
      else if (duplicates.has(placed.importId)) callbacks.deleted(placed);
      else throw unanswered();
    }
  }

  #today(): LocalDate {
    return localDateAt(this.#clock.now(), 'UTC');
  }
}

/** A failure after part of the chunk was written. */
function partly(error: unknown): unknown {
  if (!(error instanceof DestinationFailure) || error.outcome === 'unknown') return error;
  const { code, message, retryable } = error;
  return new DestinationFailure(code, message, { outcome: 'unknown', retryable, cause: error });
}

function unanswered(): DestinationFailure {
  return new DestinationFailure('run_failed', 'YNAB did not report the result of a transaction.', {
    outcome: 'unknown',
    retryable: true,
  });
}
