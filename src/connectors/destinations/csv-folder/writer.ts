import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import type { Clock } from '../../../platform/clock.ts';
import { type FileLock, takeFileLock } from '../../../platform/file-lock.ts';
import { publicId, type RowId } from '../../../vocabulary/ids.ts';
import type { ChunkRow, DeliveryRow, ExistedAs, OutgoingChunk, WrittenChunk } from '../delivery-rows.ts';
import type { DestinationOpening, DestinationWriter, TargetReading } from '../destination-contract.ts';
import { DestinationFailure } from '../destination-failure.ts';
import { AccountFiles } from './account-files.ts';
import { type FolderClient, isFolderName } from './client.ts';
import { asDestinationFailure, missingFolder } from './failures.ts';
import { readingOf } from './reading.ts';
import { accountFolder, decodeRow, encodeRow, layoutOf, type RowLayout } from './rows.ts';

/** What a target contains besides the files of rows: its lock, the mark of its creation, and marks of chunks. */
export const OWN_FOLDER = '.tributary';
const LOCK_FILE = 'lock';
const LOCK_RETRY_MS = 100;
const LOCK_TRIES = 300;

/** A chunk may be written before the previous one is recorded, so more than the last one may be repeated. */
const MARKS = 8;

/** Chunks of a sync, the newest first. */
const Marks = Type.Array(
  Type.Object({
    event_id: Type.String(),
    /** WrittenChunk.existed, under the key used in folders since the first version. */
    stood: Type.Array(
      Type.Tuple([Type.String(), Type.Union([Type.Literal('same'), Type.Literal('updated')])]),
    ),
  }),
);

/** Writes one run: each chunk under the lock of the folder, account by account and file by file. */
export class CsvFolderWriter implements DestinationWriter {
  readonly reading: TargetReading;
  readonly #client: FolderClient;
  readonly #clock: Clock;
  readonly #opening: DestinationOpening;
  readonly #layout: RowLayout;

  constructor(client: FolderClient, clock: Clock, opening: DestinationOpening) {
    const { type, columns } = opening.sync;
    this.#client = client;
    this.#clock = clock;
    this.#opening = opening;
    this.#layout = layoutOf(type, columns);
    this.reading = readingOf(client, this.#layout, (signal) => this.#folder(signal));
  }

  encode(row: DeliveryRow): string {
    return encodeRow(this.#layout, row);
  }

  async write(chunk: OutgoingChunk, signal: AbortSignal): Promise<WrittenChunk> {
    let isBegun = false;
    try {
      const folder = await this.#folder(signal);
      const own = await this.#client.made(folder, OWN_FOLDER);
      const lock = await this.#locked(`${own}/${LOCK_FILE}`, signal);
      try {
        const files = await this.#prepared(folder, chunk);
        const existed = await this.#existedOf(own, chunk, files, () => {
          isBegun = true;
        });
        // The file that a row moves to is written before the one it moves from: if the process ends in between, the row
        // is there twice until the chunk is repeated, and never missing.
        for (const one of files) await one.writeGrown();
        for (const one of files) await one.writeShrunk();
        return { rejected: [], remoteRefs: new Map(), existed };
      } finally {
        lock.release();
      }
    } catch (error) {
      throw asDestinationFailure(error, isBegun ? 'unknown' : 'refused', signal);
    }
  }

  async close(): Promise<void> {}

  /** The target. Raises DestinationFailure `destination_resource_missing`. */
  async #folder(signal: AbortSignal): Promise<string> {
    try {
      const { owner, target } = this.#opening;
      const name = target.folder ?? '';
      const folder = isFolderName(name)
        ? await this.#client.inside(await this.#client.ofOwner(owner), name)
        : null;
      if (folder === null) throw missingFolder();
      return folder;
    } catch (error) {
      throw asDestinationFailure(error, 'refused', signal);
    }
  }

  /** Another sync, or a worker that another has replaced, may be writing. */
  async #locked(path: string, signal: AbortSignal): Promise<FileLock> {
    for (let tries = 1; ; tries++) {
      const lock = await takeFileLock(path);
      if (lock !== null) return lock;
      if (tries === LOCK_TRIES) {
        const known = { outcome: 'refused', retryable: true } as const;
        throw new DestinationFailure(
          'timeout',
          'Another sync was writing to the folder all the time.',
          known,
        );
      }
      await this.#clock.sleep(LOCK_RETRY_MS, signal);
    }
  }

  /** The files of the accounts in the chunk in their new form. Nothing is written yet. */
  async #prepared(folder: string, chunk: OutgoingChunk): Promise<readonly AccountFiles[]> {
    const rows = [...chunk.added, ...chunk.updated, ...chunk.removed];
    const names = await this.#client.names(folder);
    const prepared: AccountFiles[] = [];
    for (const [account, those] of Map.groupBy(rows, (row) => row.account)) {
      const path = await this.#accountFolder(folder, names, account, those);
      if (path === null) continue;
      await this.#client.tidy(path);
      prepared.push(await AccountFiles.changed(this.#client, path, this.#layout, those));
    }
    return prepared;
  }

  /** An account keeps its folder if its bank renames it. Null for one that has none. */
  async #accountFolder(
    folder: string,
    names: readonly string[],
    account: RowId<'account'>,
    rows: readonly ChunkRow[],
  ): Promise<string | null> {
    const known = names.find((name) => name.endsWith(`-${publicId('account', account)}`));
    if (known !== undefined) return this.#client.inside(folder, known);
    const text = rows.find((row) => row.text !== null)?.text ?? null;
    return text === null ? null : this.#client.made(folder, accountFolder(account, decodeRow(text).account));
  }

  /**
   * Which added rows already existed before the chunk's first attempt. They are recorded before the first file changes,
   * so that later attempts also know.
   *
   * @param begin called before something is written
   */
  async #existedOf(
    own: string,
    { eventId, added, again }: OutgoingChunk,
    files: readonly AccountFiles[],
    begin: () => void,
  ): Promise<ReadonlyMap<string, ExistedAs>> {
    const name = `${publicId('sync', this.#opening.sync.id)}.json`;
    const marks = marksIn(await this.#client.text(own, name));
    const marked = again ? marks.find((mark) => mark.event_id === eventId) : undefined;
    if (marked !== undefined) {
      begin();
      return new Map(marked.stood);
    }
    const ids = new Set(added.map(({ id }) => id));
    const existed = new Map(files.flatMap((one) => [...one.existed].filter(([id]) => ids.has(id))));
    if (!files.some((one) => one.isChanged)) return existed;
    begin();
    const kept = [{ event_id: eventId, stood: [...existed] }, ...marks].slice(0, MARKS);
    await this.#client.replace(own, name, JSON.stringify(kept));
    return existed;
  }
}

function marksIn(text: string | null): Static<typeof Marks> {
  try {
    const value: unknown = JSON.parse(text ?? '[]');
    return Value.Check(Marks, value) ? value : [];
  } catch {
    return [];
  }
}
