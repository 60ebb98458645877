import type {
  ChunkRow,
  DeliveryRow,
  ExistedAs,
  OutgoingChunk,
  Snapshot,
  WrittenChunk,
} from '../delivery-rows.ts';
import type {
  DestinationOpening,
  DestinationWriter,
  OpenedSync,
  RunEnding,
  TargetReading,
} from '../destination-contract.ts';
import { DestinationFailure, withUnknownOutcome } from '../destination-failure.ts';
import { NOTHING_SHARED, type RowIds, SharedIds } from '../kit/shared-ids.ts';
import {
  type ChunkPart,
  type ChunkPlan,
  halvesOf,
  markRequests,
  planOf,
  rowRequests,
  usesRowNumbers,
} from './chunk-plan.ts';
import type { GoogleApi } from './client.ts';
import { areMisplaced, comparedRows, misplaced } from './existing-rows.ts';
import { isAboutRows, isGridGone } from './failures.ts';
import { sheetsReading } from './reading.ts';
import { RowBook } from './row-book.ts';
import { RowText } from './rows.ts';
import { SnapshotWriter } from './snapshot-writer.ts';
import { type ChunkMark, markOwner, type SheetTarget } from './workbook.ts';

const NONE: ReadonlySet<string> = new Set();
/** How many batches of one part may be sent, each after checking whether the previous one was applied. */
const RESENDS = 2;
/** How many batches of one chunk Google may refuse during the search for the offending rows. */
const REFUSALS = 60;

interface Outcome {
  readonly rejected: string[];
  readonly existed: Map<string, ExistedAs>;
  readonly refs: Map<string, string>;
  refusals: number;
}

/** What is unknown about a part. */
interface Attempts {
  /** Batches that were not answered. */
  resends: number;
  reloads: number;
  /** Whether a refusal is about this batch, and not because an earlier copy of it arrived in the meantime. */
  isChecked: boolean;
}

/**
 * Writes one run into one spreadsheet, chunks of rows part by part: each in one atomic batch with its own mark. Makes
 * no call before there is something to write.
 */
export class SheetsWriter implements DestinationWriter {
  readonly #api: GoogleApi;
  readonly #sync: OpenedSync;
  readonly #target: SheetTarget;
  readonly #sharedIds: SharedIds;
  readonly #snapshots: SnapshotWriter;
  readonly #text: RowText;
  readonly reading: TargetReading;
  /** Of the current chunk. */
  #ids: RowIds = NOTHING_SHARED;
  #book: RowBook | null = null;
  #marks: readonly ChunkMark[] = [];
  /** Ids that this attempt wrote, and those it removed. */
  readonly #written = new Set<string>();
  readonly #removed = new Set<string>();
  /** Whether batches were applied since the ids were last read. */
  #isUnverified = false;

  constructor(
    api: GoogleApi,
    { sync, accountsWithRows }: Pick<DestinationOpening, 'sync' | 'accountsWithRows'>,
    target: SheetTarget,
  ) {
    this.#api = api;
    this.#sync = sync;
    this.#target = target;
    this.#sharedIds = new SharedIds(accountsWithRows);
    this.#snapshots = new SnapshotWriter(api, sync, target);
    this.#text = new RowText(sync);
    this.reading = sheetsReading(api, sync, target);
  }

  encode(row: DeliveryRow): string {
    return this.#text.encoded(row);
  }

  async write(chunk: OutgoingChunk, signal: AbortSignal): Promise<WrittenChunk> {
    const outcome: Outcome = { rejected: [], existed: new Map(), refs: new Map(), refusals: 0 };
    const wasWritten = this.#written.size + this.#removed.size;
    this.#ids = await this.#sharedIds.of([...chunk.added, ...chunk.updated, ...chunk.removed]);
    try {
      await this.#part(chunk, chunk, chunk.eventId, outcome, signal);
      this.#sharedIds.note(chunk, outcome.rejected);
    } catch (error) {
      // A part of the chunk may already be there, whatever happened to the rest.
      const hasPart = this.#written.size + this.#removed.size > wasWritten;
      throw hasPart ? withUnknownOutcome(error) : error;
    } finally {
      if (this.#book !== null) this.#book.isFresh = false;
    }
    return { rejected: outcome.rejected, remoteRefs: outcome.refs, existed: outcome.existed };
  }

  async writeSnapshot(snapshot: Snapshot, signal: AbortSignal): Promise<void> {
    if (snapshot.kind === 'balance') this.#snapshots.addBalance(snapshot);
    else await this.#snapshots.writeHoldings(snapshot, signal);
  }

  /** Checks first: what follows may fail, and the next attempt would not know what was there before. */
  async finish({ accounts }: RunEnding, signal: AbortSignal): Promise<void> {
    await this.#verify(signal);
    await this.#snapshots.finish(accounts, signal);
  }

  async close(): Promise<void> {}

  /**
   * Checks rows that were only inserted: columns may have been moved in the meantime. Raises what `areMisplaced` finds.
   */
  async #verify(signal: AbortSignal): Promise<void> {
    const book = this.#book;
    if (book === null || !this.#isUnverified) return;
    const before = book.existing();
    await book.readIds(signal);
    // Removed rows were checked right after their batch: any that exist now are a person's copies.
    if (areMisplaced(before, book, { written: this.#written, removed: NONE })) throw misplaced();
    this.#isUnverified = false;
  }

  async #part(
    chunk: OutgoingChunk,
    part: ChunkPart,
    name: string,
    outcome: Outcome,
    signal: AbortSignal,
  ): Promise<void> {
    const attempts: Attempts = { resends: 0, reloads: 0, isChecked: !chunk.again };
    try {
      await this.#sent(chunk, part, name, outcome, attempts, signal);
    } catch (error) {
      // The outcome of a batch without an answer is still unknown, whatever the answer to the last one.
      throw attempts.resends > 0 ? withUnknownOutcome(error) : error;
    }
  }

  async #sent(
    chunk: OutgoingChunk,
    part: ChunkPart,
    name: string,
    outcome: Outcome,
    attempts: Attempts,
    signal: AbortSignal,
  ): Promise<void> {
    let existed: ReadonlyMap<string, ExistedAs> = new Map();
    let plan: ChunkPlan | null = null;
    /** What was there before the batch that this attempt sent; null if its rows have no numbers. */
    let before: ReadonlyMap<string, number> | null = null;
    for (;;) {
      const book = await this.#opened(signal);
      // An attempt whose answer was lost, in this run or an earlier one, wrote all of it.
      if (this.#has(name)) {
        if (plan === null || before !== null) await this.#checked(name, part, plan, before, signal);
        plan ??= planOf(part, book, this.#ids);
        break;
      }
      const isMixed = chunk.again && this.#hasPartOf(chunk.eventId);
      // An earlier attempt wrote some of it; rows that it should have removed or replaced may be left.
      if (isMixed && part === chunk && plan === null) {
        const own = { added: chunk.added, updated: chunk.updated.map(withoutPlace), removed: [] };
        await this.#checked(name, own, null, null, signal);
      }
      const planned = await this.#planned(part, book, today(chunk), isMixed, signal);
      plan = planned.plan;
      existed = planned.existed;
      const rows = rowRequests(plan, book, today(chunk));
      if (rows.length === 0) break;
      const mark = markRequests(book.workbook, this.#marks, markOwner(this.#sync), name);
      before = usesRowNumbers(plan) ? book.existing() : null;
      try {
        await this.#api.update(this.#target.spreadsheet, [...mark.requests, ...rows], signal);
      } catch (error) {
        if (!(error instanceof DestinationFailure)) throw error;
        if (isWorthLooking(error, attempts)) this.#book = null;
        else if (isAboutRows(error) && outcome.refusals++ < REFUSALS) {
          await this.#halved(chunk, part, outcome, signal);
          return;
        } else throw error;
        continue;
      }
      book.applied(plan);
      this.#marks = mark.marks;
      this.#isUnverified = true;
      if (before !== null) await this.#verified(name, part, plan, before, signal);
      break;
    }
    this.#record(plan, outcome, existed);
  }

  /** Checks a batch that was just applied: after an error its outcome is unknown, and the next attempt checks again. */
  async #verified(
    name: string,
    part: ChunkPart,
    plan: ChunkPlan,
    before: ReadonlyMap<string, number>,
    signal: AbortSignal,
  ): Promise<void> {
    try {
      await this.#book?.readIds(signal).catch((error: unknown) => {
        // Someone deleted rows at the end: the tabs are read again.
        if (!(error instanceof DestinationFailure && isGridGone(error))) throw error;
        this.#book = null;
      });
      await this.#checked(name, part, plan, before, signal);
    } catch (error) {
      throw withUnknownOutcome(error);
    }
    this.#isUnverified = false;
  }

  /**
   * Raises, once, if a part was written to the wrong rows, given the ids just read. The chunk stays unconfirmed and is
   * sent again, so a separate mark records that this was reported.
   *
   * @param plan null if an earlier attempt wrote the part
   */
  async #checked(
    name: string,
    part: ChunkPart,
    plan: ChunkPlan | null,
    before: ReadonlyMap<string, number> | null,
    signal: AbortSignal,
  ): Promise<void> {
    const book = await this.#opened(signal);
    const said = `${name}!`;
    const planned = plan ?? planOf(part, book, this.#ids);
    const intended = { written: writtenIds(planned), removed: planned.gone };
    if (this.#has(said) || !areMisplaced(before, book, intended)) return;
    const { requests } = markRequests(book.workbook, this.#marks, markOwner(this.#sync), said);
    try {
      await this.#api.update(this.#target.spreadsheet, requests, signal);
    } catch (error) {
      // Without the mark it is reported twice.
      if (!(error instanceof DestinationFailure)) throw error;
    }
    throw misplaced();
  }

  /** Refused as a whole: the offending rows are found by bisection. */
  async #halved(chunk: OutgoingChunk, part: ChunkPart, outcome: Outcome, signal: AbortSignal): Promise<void> {
    const halves = halvesOf(part);
    if (halves === null) {
      outcome.rejected.push(...[...part.added, ...part.updated, ...part.removed].map(({ id }) => id));
      return;
    }
    for (const half of halves) {
      if (this.#book !== null) this.#book.isFresh = false;
      await this.#part(chunk, half, this.#freePart(chunk.eventId), outcome, signal);
    }
  }

  async #planned(
    part: ChunkPart,
    book: RowBook,
    day: string,
    isMixed: boolean,
    signal: AbortSignal,
  ): Promise<{ readonly plan: ChunkPlan; readonly existed: ReadonlyMap<string, ExistedAs> }> {
    let plan = planOf(part, book, this.#ids);
    if (usesRowNumbers(plan) && !book.isFresh) {
      await book.readIds(signal);
      plan = planOf(part, book, this.#ids);
    }
    if (plan.existing.length === 0) return { plan, existed: new Map(movedRows(plan)) };
    let compared = await comparedRows(this.#api, book, plan.existing, day, signal);
    if (compared === null) {
      await book.readIds(signal);
      plan = planOf(part, book, this.#ids);
      compared = await comparedRows(this.#api, book, plan.existing, day, signal);
    }
    if (compared === null) throw rowsMoving();
    const found = compared;
    const changed = plan.existing.filter(({ id }) => found.get(id) !== 'same');
    const existed = new Map([...found, ...movedRows(plan)]);
    return {
      plan: { ...plan, overwritten: [...plan.overwritten, ...changed] },
      // An earlier attempt of this chunk wrote some of them, and it is unknown which.
      existed: isMixed ? new Map() : existed,
    };
  }

  #record(plan: ChunkPlan, outcome: Outcome, existed: ReadonlyMap<string, ExistedAs>): void {
    for (const [id, as] of existed) outcome.existed.set(id, as);
    const rows = [...plan.overwritten, ...plan.existing].map((row) => [row, row.place.sheetId] as const);
    const inserted = [...plan.inserted].flatMap(([sheetId, of]) => of.map((row) => [row, sheetId] as const));
    for (const [{ id, text }, sheetId] of [...rows, ...inserted]) {
      outcome.refs.set(id, String(sheetId));
      this.#written.add(text);
    }
    for (const text of [...plan.gone, ...plan.removed.keys()]) this.#removed.add(text);
  }

  async #opened(signal: AbortSignal): Promise<RowBook> {
    if (this.#book !== null) return this.#book;
    const parts = { api: this.#api, sync: this.#sync, target: this.#target };
    const book = await RowBook.open(parts, signal);
    const own = markOwner(this.#sync);
    this.#marks = book.workbook.chunkMarks.filter(({ sync }) => sync === own);
    this.#book = book;
    return book;
  }

  #has(name: string): boolean {
    return this.#marks.some(({ chunk }) => chunk === name);
  }

  #hasPartOf(eventId: string): boolean {
    return this.#marks.some(({ chunk }) => chunk.startsWith(`${eventId}/`));
  }

  /** A name that no earlier part has. */
  #freePart(eventId: string): string {
    for (let number = 1; ; number++) if (!this.#has(`${eventId}/${number}`)) return `${eventId}/${number}`;
  }
}

/** An update in case an earlier attempt did not write it: what it replaces may still be there. */
const withoutPlace = (row: ChunkRow): ChunkRow => ({ ...row, replaces: null });

const writtenIds = ({ overwritten, existing, inserted }: ChunkPlan): readonly string[] =>
  [...overwritten, ...existing, ...[...inserted.values()].flat()].map(({ text }) => text);

const today = ({ created }: OutgoingChunk): string => new Date(created).toISOString().slice(0, 10);

const movedRows = ({ moved }: ChunkPlan) => [...moved].map((id) => [id, 'updated'] as const);

/** Whether to read the spreadsheet again and continue. */
function isWorthLooking(error: DestinationFailure, attempts: Attempts): boolean {
  if (error.outcome === 'unknown') {
    if (error.code === 'destination_auth_failed' || attempts.resends++ >= RESENDS) return false;
    attempts.isChecked = false;
    return true;
  }
  if (isGridGone(error)) return attempts.reloads++ === 0;
  if (!isAboutRows(error) || attempts.isChecked) return false;
  attempts.isChecked = true;
  return true;
}

function rowsMoving(): DestinationFailure {
  const message = 'Google Sheets: rows are being moved at the moment; the next run tries again.';
  return new DestinationFailure('run_failed', message, { outcome: 'refused', retryable: true });
}
