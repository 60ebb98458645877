import type { TransactionField } from '../../../vocabulary/row-fields.ts';
import { DestinationFailure } from '../destination-failure.ts';
import { VendorRefusal } from '../kit/vendor-refusal.ts';
import type { ChunkRow, OutgoingChunk, StoodAs, WrittenChunk } from '../outgoing-chunk.ts';
import type { NotionApi } from './api.ts';
import { type PageProperties, pageProperties, type RowValues, rowValues, showsRow } from './cells.ts';
import { inFlight } from './in-flight.ts';
import { isOlder, type StandingPages } from './standing-pages.ts';
import { isSameTarget, type Target } from './target.ts';
import { isTrashed, type RowAnswer } from './wire.ts';

/** Calls for rows at once: more would wait for the quota. */
const MOST_IN_FLIGHT = 3;

export interface ChunkWriteParts {
  readonly api: NotionApi;
  readonly standing: StandingPages;
  /** The fields that rows were encoded with, in their order. */
  readonly fields: readonly TransactionField[];
  /** The target as it is known, and as it is now. */
  readonly target: () => Promise<Target>;
  readonly reopened: () => Promise<Target>;
}

/** Writes one chunk, row by row: Notion takes one at a time. */
export class ChunkWrite {
  readonly #parts: ChunkWriteParts;
  readonly #chunk: OutgoingChunk;
  readonly #signal: AbortSignal;
  readonly #rejected: string[] = [];
  readonly #refs = new Map<string, string>();
  readonly #stood = new Map<string, StoodAs>();
  #rechecking: Promise<Target> | null = null;
  /** Whether some of the chunk stands there now, or may. */
  wrote = false;

  constructor(parts: ChunkWriteParts, chunk: OutgoingChunk, signal: AbortSignal) {
    this.#parts = parts;
    this.#chunk = chunk;
    this.#signal = signal;
  }

  /** Raises DestinationFailure, or `signal.reason`. */
  async write(): Promise<WrittenChunk> {
    const { added, updated, removed } = this.#chunk;
    const target = await this.#parts.target();
    const standing = await this.#standing(target);
    const pageOf = (row: ChunkRow): RowAnswer | undefined =>
      standing.get(row.id) ?? (row.replaces === null ? undefined : standing.get(row.replaces));
    const refOf = (row: ChunkRow): string | null => row.remoteRef ?? pageOf(row)?.id ?? null;
    const work = [
      ...updated.map((row) => () => this.#update(row, refOf(row))),
      ...removed.map((row) => () => this.#remove(refOf(row))),
      ...added.map((row) => () => this.#add(row, standing.get(row.id), target)),
    ];
    await inFlight(work, MOST_IN_FLIGHT, (one) => one());
    return { rejected: this.#rejected, remoteRefs: this.#refs, stood: this.#stood };
  }

  /** Pages of new rows that stand there, as after a resync, and of rows whose page is not known. */
  async #standing(target: Target): Promise<ReadonlyMap<string, RowAnswer>> {
    const { added, updated, removed } = this.#chunk;
    const unknown = [...updated, ...removed].filter(({ remoteRef }) => remoteRef === null);
    const ids = [...added, ...unknown].flatMap(({ id, replaces }) =>
      replaces === null ? [id] : [id, replaces],
    );
    if (ids.length === 0) return new Map();
    const show = target.columns.map(({ id }) => id);
    return this.#parts.standing.find(target, ids, show, this.#signal);
  }

  async #add(row: ChunkRow, page: RowAnswer | undefined, target: Target): Promise<void> {
    if (page === undefined) return this.#create(row);
    this.#refs.set(row.id, page.id);
    const { again, created } = this.#chunk;
    const stood = !again || isOlder(page, created);
    if (showsRow(page, target.columns, this.#valuesOf(row))) {
      if (stood) this.#stood.set(row.id, 'same');
      return;
    }
    const shown = await this.#update(row, page.id);
    if (shown && stood) this.#stood.set(row.id, 'updated');
  }

  async #create(row: ChunkRow): Promise<void> {
    await this.#attempt(row, async ({ source }, properties) => {
      const { id } = await this.#parts.api.createRow(source, properties, this.#signal);
      this.#refs.set(row.id, id);
    });
  }

  /** False for a row that was refused. A row that a person has deleted stays deleted. */
  async #update(row: ChunkRow, ref: string | null): Promise<boolean> {
    if (ref === null) {
      await this.#create(row);
      return true;
    }
    this.#refs.set(row.id, ref);
    return this.#attempt(row, async (_target, properties) => {
      await this.#unlessDeleted(ref, () => this.#parts.api.updatePage(ref, { properties }, this.#signal));
    });
  }

  async #remove(ref: string | null): Promise<void> {
    if (ref === null) return;
    await this.#noting(() =>
      this.#unlessDeleted(ref, () => this.#parts.api.updatePage(ref, { in_trash: true }, this.#signal)),
    );
  }

  /**
   * Writes a row; false when Notion refuses this one. A refusal may also mean that a person has changed the database
   * since it was opened: then the row is written as the database is now.
   */
  async #attempt(
    row: ChunkRow,
    write: (target: Target, properties: PageProperties) => Promise<void>,
  ): Promise<boolean> {
    const values = this.#valuesOf(row);
    for (let target = await this.#parts.target(), last = false; ; last = true) {
      const properties = pageProperties(target.columns, values);
      if (properties === null) return this.#reject(row);
      const source = target;
      try {
        await this.#noting(() => write(source, properties));
        return true;
      } catch (error) {
        if (!isRefusal(error, 'validation_error') && !isRefusal(error, 'object_not_found')) throw error;
        target = await this.#rechecked();
        if (!last && !isSameTarget(target, source)) continue;
        if (!isRefusal(error, 'validation_error')) throw error;
        return this.#reject(row);
      }
    }
  }

  #valuesOf({ text }: ChunkRow): RowValues {
    return rowValues(text ?? '', this.#parts.fields);
  }

  #reject(row: ChunkRow): false {
    this.#rejected.push(row.id);
    this.#refs.delete(row.id);
    return false;
  }

  /** A page that is gone or in the trash was deleted by a person, as long as its database is there. */
  async #unlessDeleted(ref: string, write: () => Promise<unknown>): Promise<void> {
    try {
      await write();
    } catch (error) {
      const isGone = isRefusal(error, 'object_not_found');
      if (!isGone && !isRefusal(error, 'validation_error')) throw error;
      if (!isGone && !isTrashed(await this.#parts.api.page(ref, this.#signal))) throw error;
      await this.#rechecked();
    }
  }

  /** The target as it is now, asked once for a chunk. Raises that the database is gone. */
  #rechecked(): Promise<Target> {
    this.#rechecking ??= this.#parts.reopened();
    return this.#rechecking;
  }

  async #noting(write: () => Promise<void>): Promise<void> {
    try {
      await write();
      this.wrote = true;
    } catch (error) {
      // A call that was aborted may still take effect.
      if (!(error instanceof DestinationFailure) || error.outcome === 'unknown') this.wrote = true;
      throw error;
    }
  }
}

function isRefusal(error: unknown, word: string): boolean {
  return error instanceof VendorRefusal && error.word === word;
}
