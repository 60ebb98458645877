import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { OwnerId, RowId } from '../vocabulary/ids.ts';
import { packedAttempts } from './batched-events.ts';
import { integerArray, momentArray, textArray, uuidArray } from './binary-arrays.ts';
import type { Db, Trx } from './database.ts';
import type { EventsTable } from './event-tables.ts';
import type { DeliveryAttempt } from './webhook-deliveries.ts';

type DestinationId = RowId<'event_destination'>;

/** Events that are handed on to an event destination together, in the order of their positions. */
export interface NewBatch {
  readonly destination: DestinationId;
  readonly events: readonly Pick<Selectable<EventsTable>, 'id' | 'position'>[];
}

/** An event of a batch that one attempt delivered. */
export interface DeliveredEvent extends WaitingEvent {
  readonly attempt: Pick<DeliveryAttempt, 'at' | 'durationMs' | 'status'>;
}

export interface WaitingEvent {
  readonly event: RowId<'event'>;
  readonly position: number;
}

/** A batch as a worker read it. Results leave fewer events in it, so its size shows whether there have been any since. */
export interface TakenBatch {
  /** Its `first_position`. */
  readonly batch: number;
  readonly size: number;
}

/** The result for a batch; events in neither list have left it. */
export interface EndedBatch extends TakenBatch {
  readonly destination: DestinationId;
  readonly delivered: readonly DeliveredEvent[];
  readonly waiting: readonly WaitingEvent[];
}

/** A clock that is further ahead than this costs the order, because waiting for it would cost more. */
const MOST_AHEAD_MS = 60_000;

/**
 * Adds batches that are due at once, or as soon as those that wait for the same event destination: the clock of the
 * process that handed these on may be ahead, and events about the same thing are sent in order.
 */
export async function insertBatches(
  trx: Trx,
  owner: OwnerId,
  batches: readonly NewBatch[],
  now: Date,
): Promise<void> {
  const parts = batches.map(({ destination, events }) => ({
    destination,
    owner,
    dueAt: now,
    part: {
      events: events.map(({ id, position }) => ({ event: id, position: position ?? 0 })),
      attempts: null,
    },
  }));
  const latest = new Date(now.getTime() + MOST_AHEAD_MS);
  const dueAt = sql`greatest(given.due_at, (
    select least(due_at, ${latest}) from event_batches
    where destination = given.destination and attempts is null order by event_batches.due_at desc limit 1
  ))`;
  await insertParts(trx, parts, dueAt);
}

/**
 * Records the results for batches of event destinations that the worker has leased. Returns those that were waiting as
 * the worker read them: what left any other is not to be recorded.
 */
export async function settleBatches(
  trx: Trx,
  ended: readonly EndedBatch[],
): Promise<(batch: Pick<EndedBatch, 'destination' | 'batch'>) => boolean> {
  const split = ended.map((one) => ({ ...one, ...splitOf(one) }));
  const kept = split.flatMap(({ destination, batch, size, keeps }) =>
    keeps === null ? [] : [{ destination, batch, size, keeps }],
  );
  const emptied = split.filter(({ keeps }) => keeps === null);
  const found = new Set<string>();
  if (kept.length > 0) {
    const { rows } = await sql<BatchKey>`
      update event_batches as batch
      set events = ended.events::uuid[], size = ended.size, attempts = nullif(ended.attempts, '')
      from unnest(
        ${uuidArray(kept.map(({ destination }) => destination))}::uuid[],
        ${integerArray(kept.map(({ batch }) => batch))}::integer[],
        ${integerArray(kept.map(({ size }) => size))}::integer[],
        ${textArray(kept.map(({ keeps }) => idsOf(keeps.events)))}::text[],
        ${integerArray(kept.map(({ keeps }) => keeps.events.length))}::integer[],
        ${textArray(kept.map(({ keeps }) => keeps.attempts ?? ''))}::text[]
      ) as ended (destination, first_position, size_before, events, size, attempts)
      where batch.destination = ended.destination and batch.first_position = ended.first_position
        and batch.attempts is null and batch.size = ended.size_before
      returning batch.destination, batch.first_position, batch.account_record, batch.due_at`.execute(trx);
    for (const row of rows) found.add(keyOf(row.destination, row.first_position));
    const rest = split.flatMap(({ destination, batch, rest: part }) => {
      const row = rows.find((one) => one.destination === destination && one.first_position === batch);
      if (part === null || row === undefined) return [];
      return [{ destination, owner: row.account_record, dueAt: row.due_at, part }];
    });
    await insertParts(trx, rest, sql`given.due_at`);
  }
  if (emptied.length > 0) {
    const { rows } = await sql<BatchKey>`
      delete from event_batches as batch
      using unnest(
        ${uuidArray(emptied.map(({ destination }) => destination))}::uuid[],
        ${integerArray(emptied.map(({ batch }) => batch))}::integer[],
        ${integerArray(emptied.map(({ size }) => size))}::integer[]
      ) as ended (destination, first_position, size_before)
      where batch.destination = ended.destination and batch.first_position = ended.first_position
        and batch.attempts is null and batch.size = ended.size_before
      returning batch.destination, batch.first_position, batch.account_record, batch.due_at`.execute(trx);
    for (const row of rows) found.add(keyOf(row.destination, row.first_position));
  }
  return ({ destination, batch }) => found.has(keyOf(destination, batch));
}

/** Deletes the batches, up to the owner's latest deleted event, of which no event is left. */
export async function deleteEmptyBatches(db: Db, deleted: ReadonlyMap<OwnerId, number>): Promise<void> {
  if (deleted.size === 0) return;
  await sql`
    delete from event_batches as batch
    using (
      select early.destination, early.first_position
      from unnest(
        ${uuidArray([...deleted.keys()])}::uuid[], ${integerArray([...deleted.values()])}::integer[]
      ) as deleted (owner, position)
      join event_destinations as receiver on receiver.account_record = deleted.owner
      -- As in batchesOfEvent of storage/batched-events.ts.
      cross join lateral (
        select * from event_batches
        where destination = receiver.id and first_position <= deleted.position
        order by first_position offset 0
      ) as early
      where not exists (select from events where id = any (early.events))
    ) as emptied
    where batch.destination = emptied.destination and batch.first_position = emptied.first_position`.execute(
    db,
  );
}

interface BatchKey {
  readonly destination: DestinationId;
  readonly first_position: number;
  readonly account_record: OwnerId;
  readonly due_at: Date;
}

/** What a row of the table holds. */
interface Part {
  readonly events: readonly WaitingEvent[];
  readonly attempts: string | null;
}

/**
 * The part that keeps the row, and the part that gets a row of its own. The row's position stays with the event that has
 * it, so that no two rows have the same.
 */
function splitOf({ batch, delivered, waiting }: EndedBatch): {
  readonly keeps: Part | null;
  readonly rest: Part | null;
} {
  const done = delivered.length === 0 ? null : { events: delivered, attempts: packedAttempts(delivered) };
  const left = waiting.length === 0 ? null : { events: waiting, attempts: null };
  if (done === null || left === null) return { keeps: done ?? left, rest: null };
  return left.events[0]?.position === batch ? { keeps: left, rest: done } : { keeps: done, rest: left };
}

interface NewPart {
  readonly destination: DestinationId;
  readonly owner: OwnerId;
  readonly dueAt: Date;
  readonly part: Part;
}

/** No two parts have an event in common, so none exists already; if one did, replacing either would lose events. */
async function insertParts(trx: Trx, given: readonly NewPart[], dueAt: RawBuilder<unknown>): Promise<void> {
  if (given.length === 0) return;
  await sql`
    insert into event_batches (destination, first_position, account_record, events, size, due_at, attempts)
    select given.destination, given.first_position, given.owner, given.events::uuid[], given.size, ${dueAt},
      nullif(given.attempts, '')
    from unnest(
      ${uuidArray(given.map(({ destination }) => destination))}::uuid[],
      ${integerArray(given.map(({ part }) => part.events[0]?.position ?? 0))}::integer[],
      ${uuidArray(given.map(({ owner }) => owner))}::uuid[],
      ${textArray(given.map(({ part }) => idsOf(part.events)))}::text[],
      ${integerArray(given.map(({ part }) => part.events.length))}::integer[],
      ${momentArray(given.map(({ dueAt }) => dueAt))}::timestamptz[],
      ${textArray(given.map(({ part }) => part.attempts ?? ''))}::text[]
    ) as given (destination, first_position, owner, events, size, due_at, attempts)`.execute(trx);
}

const keyOf = (destination: DestinationId, batch: number): string => `${destination} ${batch}`;
const idsOf = (events: readonly WaitingEvent[]): string => `{${events.map(({ event }) => event).join()}}`;
