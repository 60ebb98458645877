import { now } from '../format/clock.ts';
import { isObject } from './json.ts';
import { openWrite } from './open-writes.ts';

/** Longer than this, all waits of a request together, and the refusal is shown as a failure, with the service's message. */
const MOST_WAIT_MS = 120_000;
/** A shorter wait is over before it can be read. */
const SHOWN_MS = 2_000;
/** Requests that were refused together do not return together. */
const SPREAD_MS = 400;
/** Refusals of the service itself, before anything is done: the same request may be sent again, also one that writes. */
const NOTHING_DONE: ReadonlySet<unknown> = new Set([
  'rate_limit_exceeded',
  'too_many_concurrent_requests',
  'too_many_auth_attempts',
]);
/** While it cannot be opened, events are polled. */
const STREAM = '/v2/events/stream';

const ends = new Map<object, number>();
const watchers = new Set<() => void>();
let shown: number | null = null;

/**
 * Until when requests wait because the service had too many, in epoch milliseconds; null if none waits. In the form
 * `useSyncExternalStore` takes.
 */
export const heldRequests = {
  read: () => shown,
  watch: (watcher: () => void) => {
    watchers.add(watcher);
    return () => {
      watchers.delete(watcher);
    };
  },
};

const abandonedWatchers = new Set<() => void>();
/** Ids of refusals after which a write was not sent again, until they are asked for. */
const givenUp = new Set<string>();
let abandonedAt: number | null = null;

/** When a write was last abandoned, in epoch milliseconds; null again once that was read. The same form. */
export const abandonedWrite = {
  read: () => abandonedAt,
  watch: (watcher: () => void) => {
    abandonedWatchers.add(watcher);
    return () => {
      abandonedWatchers.delete(watcher);
    };
  },
  seen: () => setAbandoned(null),
};

function setAbandoned(at: number | null): void {
  abandonedAt = at;
  for (const watcher of abandonedWatchers) watcher();
}

/** Whether a write was abandoned after the refusal with this id. Says so once. */
export function wasAbandoned(requestId: string | null): boolean {
  return requestId !== null && givenUp.delete(requestId);
}

/** Shows that something waits for so many milliseconds. Returns what ends that sooner. */
export function showWait(ms: number): () => void {
  if (ms < SHOWN_MS) return () => undefined;
  const wait = {};
  ends.set(wait, now() + ms);
  tell();
  const end = () => {
    clearTimeout(timer);
    if (ends.delete(wait)) tell();
  };
  const timer = setTimeout(end, ms);
  return end;
}

function tell(): void {
  const latest = ends.size === 0 ? null : Math.max(...ends.values());
  if (latest === shown) return;
  shown = latest;
  for (const watcher of watchers) watcher();
}

interface Sending {
  readonly signal?: AbortSignal | null | undefined;
  readonly writes: boolean;
  /** Whether it goes on when the page is left. */
  readonly stays?: boolean;
}

/**
 * What `send` is answered. While the service refuses it because of too many requests, it is sent again after the time
 * the service names: the page keeps what it shows meanwhile, and goes on. A write that the person no longer waits for
 * (`abandonWrites`) is not sent again; its answer is the refusal. Rejects with the reason of `signal`.
 */
export async function sentUntilTaken(
  address: string,
  send: () => Promise<Response>,
  { signal = null, writes, stays = false }: Sending,
): Promise<Response> {
  const write = writes ? openWrite(stays) : null;
  try {
    for (let waited = 0; ; ) {
      const response = await send();
      const wait = address.includes(STREAM) ? null : await waitNamedBy(response);
      if (wait === null || waited + wait > MOST_WAIT_MS) return response;
      if (!(await paused(wait, signal, write?.abandoned))) {
        const id = response.headers.get('request-id');
        if (id !== null) givenUp.add(id);
        setAbandoned(now());
        return response;
      }
      waited += wait;
    }
  } finally {
    write?.done();
  }
}

/** Milliseconds; null for a response that is no such refusal. */
async function waitNamedBy(response: Response): Promise<number | null> {
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  if (response.status !== 429 || !(seconds >= 0)) return null;
  const refusal: unknown = await response
    .clone()
    .json()
    .catch(() => null);
  const code = isObject(refusal) && isObject(refusal.error) ? refusal.error.code : null;
  return NOTHING_DONE.has(code) ? seconds * 1000 + Math.random() * SPREAD_MS : null;
}

/** False if it was abandoned meanwhile. */
async function paused(
  ms: number,
  signal: AbortSignal | null,
  abandoned: AbortSignal | undefined,
): Promise<boolean> {
  signal?.throwIfAborted();
  if (abandoned?.aborted === true) return false;
  const end = showWait(ms);
  const left = Promise.withResolvers<void>();
  const leave = () => left.reject(signal?.reason);
  signal?.addEventListener('abort', leave, { once: true });
  const giveUp = () => left.resolve();
  abandoned?.addEventListener('abort', giveUp, { once: true });
  const timer = setTimeout(giveUp, ms);
  try {
    await left.promise;
    return !(abandoned?.aborted ?? false);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', leave);
    abandoned?.removeEventListener('abort', giveUp);
    end();
  }
}
