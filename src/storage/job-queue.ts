import { isRowId, type Noun, type RowId } from '../vocabulary/ids.ts';

/**
 * What the jobs of a queue carry: ids by the noun they name, and nothing else, because a payload is a row in the
 * database and financial data is never stored.
 */
export type PayloadSchema = Readonly<Record<string, Noun>>;
export type Payload<S extends PayloadSchema> = { readonly [Member in keyof S]: RowId<S[Member]> };

interface QueueSettings<S extends PayloadSchema> {
  /** Never changes: jobs that earlier versions wrote wait under it. */
  readonly name: string;
  readonly payload: S;
  /** For a worker that dies or throws. Each delay is longer than the one before; a job's own work decides what else is worth repeating. */
  readonly retry: { readonly limit: number; readonly delaySeconds: number };
  /** After so long a job counts as failed, whatever its worker does. */
  readonly expireSeconds: number;
  /**
   * The member of the payload of which at most one job waits for its first attempt. To enqueue another makes the one
   * that waits start no later than it would. To be decided when the queue is made: it cannot be changed afterwards.
   */
  readonly onePer?: keyof S & string;
}

/** How many jobs one process works on at once, and how many of those for one account record: at most half. */
export interface WorkerShare {
  readonly concurrency: number;
  readonly perOwner: number;
}

/** A queue whose jobs are the work. */
export interface WorkQueue<S extends PayloadSchema> extends QueueSettings<S>, WorkerShare {
  readonly kind: 'work';
}

/** A queue whose jobs only say that there is something to do; what, and whose turn it is, is found elsewhere. */
export interface WakeQueue<S extends PayloadSchema> extends QueueSettings<S> {
  readonly kind: 'wake';
}

export type JobQueue<S extends PayloadSchema = PayloadSchema> = WorkQueue<S> | WakeQueue<S>;

/** Declares a queue of work. Raises a TypeError where one account record could take all of its workers. */
export function workQueue<const S extends PayloadSchema>(
  settings: QueueSettings<S> & WorkerShare,
): WorkQueue<S> {
  const { name, concurrency, perOwner } = settings;
  if (concurrency < 2 || perOwner < 1 || perOwner > concurrency / 2) {
    throw new TypeError(`${name}: one account record may take at most half of two or more workers`);
  }
  return { ...settings, kind: 'work' };
}

/**
 * Declares a queue in groups that have workers of their own, so that what one of them waits for (a provider, a
 * destination) holds up no other. Each group is a queue, named after both.
 */
export function workQueuesByGroup<const S extends PayloadSchema, G extends string>(
  settings: QueueSettings<S>,
  groups: ReadonlyMap<G, WorkerShare>,
): ReadonlyMap<G, WorkQueue<S>> {
  return new Map(
    [...groups].map(([group, share]) => {
      const name = `${settings.name}/${group}`;
      return [group, workQueue({ ...settings, ...share, name })];
    }),
  );
}

/** Declares a queue that wakes. */
export function wakeQueue<const S extends PayloadSchema>(settings: QueueSettings<S>): WakeQueue<S> {
  return { ...settings, kind: 'wake' };
}

/** Whether what a job carries is what its queue says. Members that a newer version added do no harm. */
export function isPayload<S extends PayloadSchema>(schema: S, data: unknown): data is Payload<S> {
  if (typeof data !== 'object' || data === null) return false;
  const carried = new Map<string, unknown>(Object.entries(data));
  return Object.entries(schema).every(([member, noun]) => {
    const id = carried.get(member);
    return typeof id === 'string' && isRowId(noun, id);
  });
}
