import type { Clock } from '../../../platform/clock.ts';
import { TRANSACTION_FIELDS, type TransactionField } from '../../../vocabulary/row-fields.ts';
import type {
  ChunkRow,
  DeliveryRow,
  ExistedAs,
  ExistingRow,
  OutgoingChunk,
  WrittenChunk,
} from '../delivery-rows.ts';
import type { DestinationOpening, DestinationWriter, TargetReading } from '../destination-contract.ts';
import { DestinationFailure, withUnknownOutcome } from '../destination-failure.ts';
import { VendorRefusal } from '../kit/failures.ts';
import { type FoundRow, type RowIds, SharedIds } from '../kit/shared-ids.ts';
import { chosenFields, encodeValues, TRANSACTION_VALUES } from '../row-values.ts';
import type { NotionApi } from './client.ts';
import {
  FIELDS,
  type PageProperties,
  pageProperties,
  type RowValues,
  rowValues,
  showsRow,
} from './columns.ts';
import { notionReading } from './reading.ts';
import { ExistingPages, isOlder, isSameTarget, openTarget, type Target } from './target.ts';
import { isTrashed, type RowAnswer } from './wire.ts';

/** Writes the rows of one run into one database. Makes no call before the first chunk. */
export class NotionWriter implements DestinationWriter {
  readonly #api: NotionApi;
  readonly #database: string;
  readonly #existing: ExistingPages;
  readonly #sharedIds: SharedIds;
  readonly #chosen: readonly TransactionField[] | null;
  readonly #fields: readonly TransactionField[];
  readonly reading: TargetReading;
  #target: Target | null = null;

  constructor(
    api: NotionApi,
    clock: Clock,
    database: string,
    { sync, accountsWithRows }: Pick<DestinationOpening, 'sync' | 'accountsWithRows'>,
  ) {
    this.#api = api;
    this.#database = database;
    this.#existing = new ExistingPages(api, clock);
    this.#sharedIds = new SharedIds(accountsWithRows);
    this.#chosen = chosenFields(sync.columns, TRANSACTION_FIELDS, 'transaction_id');
    this.#fields = this.#chosen ?? FIELDS;
    this.reading = notionReading(api, database, this.#chosen);
  }

  encode(row: DeliveryRow): string {
    if (row.kind !== 'transaction') throw new TypeError('a Notion database holds transactions alone');
    return encodeValues(this.#fields.map((field) => TRANSACTION_VALUES[field](row)));
  }

  async write(chunk: OutgoingChunk, signal: AbortSignal): Promise<WrittenChunk> {
    const parts = {
      api: this.#api,
      existing: this.#existing,
      sharedIds: this.#sharedIds,
      fields: this.#fields,
      target: () => this.#opened(signal),
      reopened: () => this.#reopened(signal),
    };
    const work = new ChunkWrite(parts, chunk, signal);
    try {
      return await work.write();
    } catch (error) {
      throw work.wrote ? withUnknownOutcome(error) : error;
    }
  }

  async lookUp(
    rows: readonly Pick<ChunkRow, 'id' | 'account'>[],
    created: number,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, ExistingRow>> {
    if (rows.length === 0) return new Map();
    const target = await this.#opened(signal);
    const ids = await this.#sharedIds.of(rows);
    const textsOf = (of: typeof rows) => [...new Set(of.flatMap((row) => ids.texts(row)))];
    const pageOf = (row: (typeof rows)[number], found: ReadonlyMap<string, readonly RowAnswer[]>) =>
      ids.find(row, (text) => found.get(text) ?? [])?.found ?? null;
    const found = await this.#existing.findForSure(
      target,
      textsOf(rows),
      (so) => textsOf(rows.filter((row) => pageOf(row, so) === null)),
      signal,
    );
    const existing = new Map<string, ExistingRow>();
    for (const row of rows) {
      const page = pageOf(row, found);
      if (page !== null) existing.set(row.id, { remoteRef: page.id, older: isOlder(page, created) });
    }
    return existing;
  }

  async close(): Promise<void> {}

  async #opened(signal: AbortSignal): Promise<Target> {
    return this.#target ?? this.#reopened(signal);
  }

  /** The current database: a person may have changed it during the run. */
  async #reopened(signal: AbortSignal): Promise<Target> {
    this.#target = null;
    this.#target = await openTarget(this.#api, this.#database, this.#chosen, signal);
    return this.#target;
  }
}

/**
 * Does the work for each item, a few at a time and in order. After a failure no more are started; it is raised once
 * those in progress have ended.
 */
async function inFlight<T>(
  items: readonly T[],
  most: number,
  work: (item: T) => Promise<unknown>,
): Promise<void> {
  const left = items.values();
  const failures: unknown[] = [];
  const worker = async (): Promise<void> => {
    for (const item of left) {
      if (failures.length > 0) return;
      try {
        await work(item);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: most }, worker));
  if (failures.length > 0) throw failures[0];
}

/** Concurrent calls for rows: more would wait for the quota. */
const MOST_IN_FLIGHT = 3;

interface ChunkWriteParts {
  readonly api: NotionApi;
  readonly existing: ExistingPages;
  readonly sharedIds: SharedIds;
  /** The fields that rows were encoded with, in order. */
  readonly fields: readonly TransactionField[];
  /** The target as cached, and as it is now. */
  readonly target: () => Promise<Target>;
  readonly reopened: () => Promise<Target>;
}

/** Writes one chunk, row by row: Notion takes one at a time. */
class ChunkWrite {
  readonly #parts: ChunkWriteParts;
  readonly #chunk: OutgoingChunk;
  readonly #signal: AbortSignal;
  readonly #rejected: string[] = [];
  readonly #refs = new Map<string, string>();
  readonly #existed = new Map<string, ExistedAs>();
  #rechecking: Promise<Target> | null = null;
  /** Whether part of the chunk is, or may be, there now. */
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
    const ids = await this.#parts.sharedIds.of([...added, ...updated, ...removed]);
    const existing = await this.#existing(target, ids);
    const at = (text: string): readonly RowAnswer[] => existing.get(text) ?? [];
    const refOf = (row: ChunkRow): string | null => {
      if (row.remoteRef !== null) return row.remoteRef;
      const before = row.replaces === null ? null : { id: row.replaces, account: row.account };
      const found = ids.find(row, at) ?? (before === null ? null : ids.find(before, at));
      return found?.found.id ?? null;
    };
    const work = [
      ...updated.map((row) => () => this.#update(row, refOf(row), ids)),
      ...removed.map((row) => () => this.#remove(refOf(row))),
      ...added.map((row) => () => this.#add(row, ids.find(row, at), ids, target)),
    ];
    await inFlight(work, MOST_IN_FLIGHT, (one) => one());
    this.#parts.sharedIds.note(this.#chunk, this.#rejected);
    return { rejected: this.#rejected, remoteRefs: this.#refs, existed: this.#existed };
  }

  /** Existing pages of new rows, as after a resync, and of rows whose page is unknown, by the ids they show. */
  async #existing(target: Target, ids: RowIds): Promise<ReadonlyMap<string, readonly RowAnswer[]>> {
    const { added, updated, removed } = this.#chunk;
    const unknown = [...updated, ...removed].filter(({ remoteRef }) => remoteRef === null);
    const texts = [...added, ...unknown].flatMap((row) => {
      const { account, replaces } = row;
      return replaces === null
        ? ids.texts(row)
        : [...ids.texts(row), ...ids.texts({ id: replaces, account })];
    });
    if (texts.length === 0) return new Map();
    const show = target.columns.map(({ id }) => id);
    return this.#parts.existing.find(target, [...new Set(texts)], show, this.#signal);
  }

  async #add(row: ChunkRow, one: FoundRow<RowAnswer> | null, ids: RowIds, target: Target): Promise<void> {
    if (one === null) return (await this.#restored(row, ids)) ? undefined : this.#create(row, ids);
    const { found: page, text } = one;
    this.#refs.set(row.id, page.id);
    const { again, created } = this.#chunk;
    const existed = !again || isOlder(page, created);
    const values = this.#valuesOf(row, text);
    if (showsRow(page, target.columns, values)) {
      if (existed) this.#existed.set(row.id, 'same');
      return;
    }
    const shown = await this.#change(row, page.id, values);
    if (shown && existed) this.#existed.set(row.id, 'updated');
  }

  /** A page that was delivered before and no longer shows its id gets it back, unless a person deleted the page. */
  async #restored(row: ChunkRow, ids: RowIds): Promise<boolean> {
    const { remoteRef } = row;
    if (remoteRef === null) return false;
    try {
      if (isTrashed(await this.#parts.api.page(remoteRef, this.#signal))) return false;
    } catch (error) {
      if (isRefusal(error, 'object_not_found')) return false;
      throw error;
    }
    if (await this.#change(row, remoteRef, this.#valuesOf(row, ids.fresh(row))))
      this.#existed.set(row.id, 'updated');
    return true;
  }

  async #create(row: ChunkRow, ids: RowIds): Promise<void> {
    await this.#attempt(row, this.#valuesOf(row, ids.fresh(row)), async ({ source }, properties) => {
      const { id } = await this.#parts.api.createRow(source, properties, this.#signal);
      this.#refs.set(row.id, id);
    });
  }

  /** A row keeps the id that it shows, unless it replaces another. */
  async #update(row: ChunkRow, ref: string | null, ids: RowIds): Promise<void> {
    if (ref === null) return this.#create(row, ids);
    await this.#change(row, ref, this.#valuesOf(row, row.replaces === null ? null : ids.fresh(row)));
  }

  /** False for a row that was refused. A row that a person has deleted stays deleted. */
  async #change(row: ChunkRow, ref: string, values: RowValues): Promise<boolean> {
    this.#refs.set(row.id, ref);
    return this.#attempt(row, values, async (_target, properties) => {
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
   * since it was opened: then the row is written to fit the current database.
   */
  async #attempt(
    row: ChunkRow,
    values: RowValues,
    write: (target: Target, properties: PageProperties) => Promise<void>,
  ): Promise<boolean> {
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

  /** @param id the id it should show; null to leave it */
  #valuesOf({ text }: ChunkRow, id: string | null): RowValues {
    const values = new Map(rowValues(text ?? '', this.#parts.fields));
    if (id === null) values.delete('transaction_id');
    else values.set('transaction_id', id);
    return values;
  }

  #reject(row: ChunkRow): false {
    this.#rejected.push(row.id);
    this.#refs.delete(row.id);
    return false;
  }

  /** A page that is gone or in the trash was deleted by a person, as long as its database exists. */
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

  /** The current target, requested once per chunk. Raises if the database is gone. */
  #rechecked(): Promise<Target> {
    this.#rechecking ??= this.#parts.reopened();
    return this.#rechecking;
  }

  async #noting(write: () => Promise<void>): Promise<void> {
    try {
      await write();
      this.wrote = true;
    } catch (error) {
      // An aborted call may still take effect.
      if (!(error instanceof DestinationFailure) || error.outcome === 'unknown') this.wrote = true;
      throw error;
    }
  }
}

function isRefusal(error: unknown, word: string): boolean {
  return error instanceof VendorRefusal && error.word === word;
}
