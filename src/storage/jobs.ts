import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Clock } from '../platform/clock.ts';
import { currentRequestId } from '../platform/request-origin.ts';
import type { OwnerId } from '../vocabulary/ids.ts';
import type { Db, Trx } from './database.ts';
import type { JobQueue, Payload, PayloadSchema } from './job-queues.ts';
import type { Notices } from './notices.ts';

export interface EnqueueOptions {
  /** The owner whose share of the queue's workers it uses. */
  readonly owner: OwnerId;
  /** Not before this time. */
  readonly startAfter?: Date;
}

/** Enqueues work in the caller's transaction, so that a job and the change that needs it commit together. */
export class Jobs {
  readonly #clock: Clock;
  readonly #notices: Pick<Notices, 'hintOnceCommitted'>;

  constructor(deps: { readonly clock: Clock; readonly notices: Pick<Notices, 'hintOnceCommitted'> }) {
    this.#clock = deps.clock;
    this.#notices = deps.notices;
  }

  /**
   * A request that joins a waiting job always locks its row: no worker takes it before the caller has committed, so
   * none misses the caller's changes. The job then stays that of the first request.
   */
  async enqueue<S extends PayloadSchema>(
    trx: Trx | Db,
    queue: JobQueue<S>,
    payload: Payload<S>,
    { owner, startAfter }: EnqueueOptions,
  ): Promise<void> {
    const joining = queue.onePer === undefined ? null : payload[queue.onePer];
    await sql`
      insert into jobs (id, queue, account_record, payload, joining, due_at, request_id)
      values (${randomUUID()}, ${queue.name}, ${owner}, ${JSON.stringify(payload)}::jsonb, ${joining},
        ${startAfter ?? new Date(this.#clock.now())}, ${currentRequestId()})
      on conflict (queue, joining) do update set due_at = least(jobs.due_at, excluded.due_at)`.execute(trx);
    if (startAfter === undefined)
      await this.#notices.hintOnceCommitted(trx, { kind: 'jobs', id: queue.name });
  }
}

/** A worker's lease on a job. A worker whose fence is no longer the job's writes nothing, however late it resumes. */
export interface JobLease {
  readonly id: string;
  readonly fence: number;
}

export interface TakenJob extends JobLease {
  readonly account_record: OwnerId;
  readonly payload: unknown;
  readonly failures: number;
  /** Of the request that enqueued it; null if there was none. */
  readonly request_id: string | null;
}

/** The jobs of a queue that this process is running. */
export interface JobsInWork {
  readonly ids: readonly string[];
  /** One entry for each job. */
  readonly owners: readonly OwnerId[];
}

/**
 * Takes jobs that are due and not leased. Next is the oldest job of the owner with the fewest running on all machines.
 * No owner gets more slots of this process than the queue allows for one.
 */
export async function takeJobs(
  db: Db,
  queue: Pick<JobQueue, 'name' | 'perOwner' | 'concurrency'>,
  { ids, owners }: JobsInWork,
  now: Date,
  leaseUntil: Date,
): Promise<readonly TakenJob[]> {
  const due = sql<boolean>`queue = ${queue.name} and due_at <= ${now}
    and coalesce(lease_until, '-infinity') <= ${now} and id <> all(${ids}::uuid[])`;
  const { rows } = await sql<TakenJob>`
    with recursive owners (owner) as (
      -- One probe of the index for each owner, however many jobs one of them has.
      (select account_record from jobs where ${due} order by account_record limit 1)
      union all
      select (
        select account_record from jobs where account_record > owners.owner and ${due}
        order by account_record limit 1
      ) from owners where owners.owner is not null
    ), in_work as (
      select account_record, count(*) from jobs
      where queue = ${queue.name} and lease_until > ${now} group by account_record
    ), here as (
      select owner, count(*) from unnest(${owners}::uuid[]) as place (owner) group by owner
    ), waiting as (
      select oldest.id, oldest.due_at, coalesce(in_work.count, 0) + oldest.nth as place
      from owners
      left join here on here.owner = owners.owner
      left join in_work on in_work.account_record = owners.owner
      cross join lateral (
        select id, due_at, row_number() over (order by due_at, id) as nth from jobs
        where account_record = owners.owner and ${due}
        order by due_at, id limit greatest(0, ${queue.perOwner} - coalesce(here.count, 0))
      ) as oldest
    ), chosen as (
      select jobs.id from jobs join waiting on waiting.id = jobs.id
      where ${sql`jobs.due_at <= ${now} and coalesce(jobs.lease_until, '-infinity') <= ${now}`}
      order by waiting.place, waiting.due_at limit ${queue.concurrency - ids.length}
      for update of jobs skip locked
    )
    update jobs
    set fence = fence + 1, joining = null, lease_until = ${leaseUntil},
      failures = failures + case when lease_until is null then 0 else 1 end
    from chosen where jobs.id = chosen.id
    returning jobs.id, jobs.account_record, jobs.payload, jobs.failures, jobs.fence, jobs.request_id`.execute(
    db,
  );
  return rows;
}

/** Which of these queues have a job that is due and not leased. */
export async function queuesWithDueJobs(
  db: Db,
  queues: readonly string[],
  now: Date,
): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`
    select queue.name from unnest(${queues}::text[]) as queue (name)
    where exists (
      select from jobs
      where jobs.queue = queue.name and due_at <= ${now} and coalesce(lease_until, '-infinity') <= ${now}
    )`.execute(db);
  return rows.map(({ name }) => name);
}

/** Extends leases. Returns the ids of those that still exist. */
export async function renewJobLeases(
  db: Db,
  leases: readonly JobLease[],
  leaseUntil: Date,
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ id: string }>`
    update jobs set lease_until = ${leaseUntil}
    from unnest(${leases.map(({ id }) => id)}::uuid[], ${leases.map(({ fence }) => fence)}::integer[])
      as lease (id, fence)
    where jobs.id = lease.id and jobs.fence = lease.fence
    returning jobs.id`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

/** The job is done, or has used up its attempts. */
export async function deleteJob(db: Db, { id, fence }: JobLease): Promise<void> {
  await db.deleteFrom('jobs').where('id', '=', id).where('fence', '=', fence).execute();
}

/** Another attempt follows, by any worker. */
export async function retryJob(
  db: Db,
  { id, fence }: JobLease,
  failures: number,
  dueAt: Date,
): Promise<void> {
  await db
    .updateTable('jobs')
    .set({ failures, due_at: dueAt, lease_until: null })
    .where('id', '=', id)
    .where('fence', '=', fence)
    .execute();
}

/** Ends every lease: no other process can be working. */
export async function voidJobLeases(db: Db): Promise<void> {
  await db
    .updateTable('jobs')
    .set((eb) => ({ lease_until: null, failures: eb('failures', '+', 1) }))
    .where('lease_until', 'is not', null)
    .execute();
}
