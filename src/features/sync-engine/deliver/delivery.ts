import { createHash } from 'node:crypto';
import type { OutgoingChunk } from '../../../connectors/destinations/delivery-rows.ts';
import { DestinationFailure } from '../../../connectors/destinations/destination-failure.ts';
import { keyedMac } from '../../../platform/keyed-mac.ts';
import type { DeliveryChunk } from '../../../storage/delivery-chunks.ts';
import { forgetChunks } from '../../../storage/delivery-chunks.ts';
import type { RowId } from '../../../vocabulary/ids.ts';
import type { Change, ChangesUnderWay, ReadCounts } from '../compare/row-changes.ts';
import { LeaseLost, type RunContext } from '../run/run-context.ts';
import { type ChunkAnswer, deliveredChunk, outgoingChunk, recordedProgress, writeChunk } from './chunks.ts';
import type { RefusedRows } from './rejected-rows.ts';

/** Our own namespace, generated once at random, as RFC 9562 section 6.6 requires. */
const NAME_SPACE = Buffer.from('8f6c1d0a5a0e4f6b9b5a2c1b7e3d4f90', 'hex');

/**
 * The id of a chunk's event: a UUIDv5 (RFC 9562 section 5.5) over run, chunk number and a keyed MAC of the ordered
 * record ids, so that the same chunk built twice has the same id and a different chunk has a different one.
 */
function eventIdOf(macKey: Buffer, run: RowId<'sync_run'>, chunk: number, ids: readonly string[]): string {
  const mac = keyedMac(macKey, ...ids).toString('hex');
  const bytes = createHash('sha1')
    .update(NAME_SPACE)
    .update(`${run}:${chunk}:${mac}`)
    .digest()
    .subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x50, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** A packed chunk in progress: its changes, its form as sent, and when its intent is recorded. */
interface ChunkInFlight {
  readonly changes: readonly Change[];
  readonly outgoing: OutgoingChunk;
  readonly intended: PromiseWithResolvers<void>;
}

function intentOf(
  of: { readonly sync: RowId<'sync'>; readonly run: RowId<'sync_run'> },
  { changes, outgoing }: ChunkInFlight,
): DeliveryChunk {
  return {
    event_id: outgoing.eventId,
    ...of,
    chunk: outgoing.number,
    total_chunks: outgoing.total,
    rowForm: outgoing.rowForm,
    created: new Date(outgoing.created),
    rows: changes.map(({ stream, id, change, contentMac, replaces, provisional, pairMac, day }) => ({
      stream,
      sourceId: id,
      change,
      contentMac,
      replaces,
      provisional,
      pairMac,
      day,
    })),
  };
}

interface Answered extends ChunkAnswer {
  readonly chunk: ChunkInFlight;
}

/** How many intents may exist at once: of the chunk being sent, and of the next. */
const INTENTS = 2;

/**
 * Delivers chunks in order, one at a time, without waiting for the database in between. While one is sent, the intent
 * of the next is recorded; when it is answered the next is sent at once, while one statement records the answered one
 * as delivered and the intent of the one after the next. So after a crash, the next worker finds every row that may
 * have been sent in an intent, and at most two intents.
 */
export class Delivery {
  readonly #context: RunContext;
  readonly #underWay: ChangesUnderWay;
  readonly #read: ReadCounts;
  readonly #refused: Pick<RefusedRows, 'answered'>;
  /** Numbers of the last chunk packed and of the last one that was sent. */
  #packed: number;
  #begun: number;
  /** Packed, but its intent is not yet recorded. */
  #waiting: ChunkInFlight | null = null;
  /** Resolves when there is room for another waiting chunk. */
  #room: Promise<void> = Promise.resolve();
  /** With a recorded intent, oldest first. */
  readonly #intended: ChunkInFlight[] = [];
  /** Accepted by the destination, but not yet recorded. */
  readonly #answered: Answered[] = [];
  #sending: Promise<void> = Promise.resolve();
  #recording: Promise<void> = Promise.resolve();
  #recordingNow = false;
  #failure: { readonly error: unknown; readonly of: 'sending' | 'recording' } | null = null;
  /** Chunks delivered, and the rows in them that the destination accepted. */
  delivered = 0;
  accepted = 0;

  constructor(
    context: RunContext,
    underWay: ChangesUnderWay,
    read: ReadCounts,
    refused: Pick<RefusedRows, 'answered'>,
  ) {
    this.#context = context;
    this.#refused = refused;
    this.#underWay = underWay;
    this.#read = read;
    this.#packed = context.run.chunks;
    this.#begun = context.run.chunks;
  }

  /** Accepts a chunk once the intent of the previous one is recorded. Raises errors of earlier ones. */
  async push(changes: readonly Change[], last: boolean): Promise<void> {
    await this.#room;
    if (this.#failure !== null) throw this.#failure.error;
    const chunk = this.#prepare(changes, last);
    this.#waiting = chunk;
    this.#room = chunk.intended.promise;
    this.#room.catch(() => undefined);
    this.#sending = this.#send(chunk, this.#sending);
    this.#sending.catch(() => undefined);
    this.#record();
  }

  /** Waits for all chunks that were pushed. After a failure, leaves only intents of chunks that are unconfirmed. */
  async drain(): Promise<void> {
    try {
      await this.#sending;
    } finally {
      await this.#recording;
    }
    if (this.#failure !== null) throw this.#failure.error;
  }

  #prepare(changes: readonly Change[], last: boolean): ChunkInFlight {
    const { clock, run, macKey, rowForm } = this.#context;
    this.#packed += 1;
    const ids = changes.map((change) => change.id);
    const outgoing = outgoingChunk(changes, {
      eventId: eventIdOf(macKey, run.id, this.#packed, ids),
      run: run.id,
      number: this.#packed,
      total: last ? this.#packed : null,
      rowForm,
      created: clock.now(),
      again: false,
    });
    return { changes, outgoing, intended: Promise.withResolvers() };
  }

  async #send(chunk: ChunkInFlight, before: Promise<void>): Promise<void> {
    const { reading, halted, confirmLease } = this.#context;
    await before;
    await chunk.intended.promise;
    if (this.#failure !== null) throw this.#failure.error;
    try {
      // When asked to stop, a chunk that was started is finished and no other is started.
      reading.throwIfAborted();
      await confirmLease();
      this.#begun = chunk.outgoing.number;
      const answer = await writeChunk(this.#context, chunk.outgoing, chunk.changes, halted);
      this.#context.progressed();
      this.#answered.push({ chunk, ...answer });
    } catch (error) {
      this.#fail(error, 'sending');
      await this.#recording;
      await this.#forgetUnsent(chunk, error);
      throw error;
    }
    this.#record();
  }

  #fail(error: unknown, of: 'sending' | 'recording'): void {
    this.#failure ??= { error, of };
    this.#waiting?.intended.reject(error);
    this.#waiting = null;
  }

  /** Chunks of which certainly nothing arrived are not unconfirmed: their rows may be sent in others. */
  async #forgetUnsent(failed: ChunkInFlight, error: unknown): Promise<void> {
    // Intents that a worker leaves behind without lease or database are resolved by the next one.
    if (error instanceof LeaseLost || this.#failure?.of === 'recording') return;
    const refused = error instanceof DestinationFailure && error.outcome === 'refused';
    const gone = this.#intended.filter(
      (chunk) => chunk.outgoing.number > this.#begun || (refused && chunk === failed),
    );
    if (gone.length === 0) return;
    const { db, lease } = this.#context;
    const ids = gone.map(({ outgoing }) => outgoing.eventId);
    if (!(await forgetChunks(db, lease, ids, this.#begun))) throw new LeaseLost();
  }

  /** Records what there is to record, one statement after the other, until nothing is left. */
  #record(): void {
    if (this.#recordingNow) return;
    this.#recordingNow = true;
    this.#recording = this.#recordAll();
  }

  async #recordAll(): Promise<void> {
    try {
      while (this.#failure?.of !== 'recording') {
        const done = this.#answered.shift() ?? null;
        const room = INTENTS - this.#intended.length + (done === null ? 0 : 1);
        const next = room > 0 ? this.#waiting : null;
        if (done === null && next === null) return;
        await this.#recordStep(done, next);
      }
    } catch (error) {
      this.#fail(error, 'recording');
    } finally {
      this.#recordingNow = false;
    }
  }

  async #recordStep(done: Answered | null, next: ChunkInFlight | null): Promise<void> {
    const { clock, sync, run, writer } = this.#context;
    const at = new Date(clock.now());
    const delivered =
      done === null
        ? null
        : {
            ...deliveredChunk(
              done.chunk.outgoing.eventId,
              done.chunk.changes,
              done.written,
              this.#read,
              at,
              writer.reading !== undefined,
            ),
            log: done.entry,
          };
    const intended = next === null ? null : intentOf({ sync: sync.id, run: run.id }, next);
    await recordedProgress(this.#context, delivered, intended);
    if (done !== null) this.#delivered(done);
    if (next === null) return;
    this.#intended.push(next);
    this.#waiting = null;
    next.intended.resolve();
  }

  #delivered({ chunk, written }: Answered): void {
    this.#intended.shift();
    this.#underWay.delete(chunk.changes);
    this.delivered += 1;
    this.accepted += chunk.changes.length - written.rejected.length;
    this.#refused.answered(chunk.changes, written);
  }
}
