import { SHOWN_RECORD_HEADER } from '../../../src/vocabulary/shown-record.ts';
import { appUrl, leaveToSignIn } from './app-url.ts';
import { sentUntilTaken } from './held-requests.ts';
import { isObject } from './json.ts';
import { shownRecord } from './shown-record.ts';
import { WriteKeys } from './write-keys.ts';

/** The key in the tab's storage that records this across a reload. */
const SWITCHED = 'account-record-switched';
const IDEMPOTENCY_KEY = 'idempotency-key';

let ended = false;
const watchers = new Set<() => void>();
const writes = new WriteKeys();

/**
 * Whether the session has ended while a page is shown, in the form `useSyncExternalStore` takes. The page stays, so
 * that nothing typed into it is lost.
 */
export const endedSession = {
  read: () => ended,
  watch: (watcher: () => void) => {
    watchers.add(watcher);
    return () => {
      watchers.delete(watcher);
    };
  },
};

/** Whether the document was reloaded because the browser had switched to another account record; read once. */
export function wasSwitched(): boolean {
  try {
    const switched = sessionStorage.getItem(SWITCHED) !== null;
    sessionStorage.removeItem(SWITCHED);
    return switched;
  } catch {
    return false;
  }
}

/**
 * The fetch of every request to v2. Without a session, it goes to the sign-in page and never resolves, unless a page is
 * already shown: that stays, and says so. If the browser has switched to another account record, it goes to the home
 * page. A write whose response was lost has the same idempotency key when it is retried. What is refused because of too
 * many requests is sent again when the service says, unless it is a write that the person no longer waits for.
 */
export const sessionFetch: typeof fetch = (address, init) => sent(address, init, false);

/** The same for writes whose outcome is shown on every page: they go on when the page is left. */
export const stayingFetch: typeof fetch = (address, init) => sent(address, init, true);

async function sent(
  address: Parameters<typeof fetch>[0],
  init: Parameters<typeof fetch>[1],
  stays: boolean,
): Promise<Response> {
  const headers = new Headers(init?.headers);
  const write = `${init?.method} ${address} ${init?.body ?? ''}`;
  const fresh = headers.get(IDEMPOTENCY_KEY);
  const key = fresh === null ? null : writes.keyOf(write, fresh);
  if (key !== null) headers.set(IDEMPOTENCY_KEY, key);
  const hadEnded = ended;
  // A proxy in front of the service may redirect: to another origin, which the browser refuses, it is as no answer.
  const send = () => fetch(address, { ...init, headers, redirect: 'follow' });
  const response = await sentUntilTaken(String(address), send, {
    signal: init?.signal,
    writes: key !== null,
    stays,
  }).catch((error: unknown) => {
    if (key !== null && init?.signal?.aborted !== true) writes.lost(write, key);
    throw error;
  });
  if (key !== null) {
    if (isFinal(response)) writes.answered();
    else writes.lost(write, key);
  }
  if (response.ok) {
    // Responses to requests from before the session ended do not count.
    if (hadEnded) setEnded(false);
    return response;
  }
  if (response.status === 401) {
    if (shownRecord() === null) return leaveToSignIn();
    setEnded(true);
  }
  if (await isOfOtherRecord(response.clone())) return leaveToOtherRecord();
  return response;
}

/**
 * A proxy may answer for a service that does the work nevertheless; and an earlier attempt may still be in progress.
 */
function isFinal({ status }: Response): boolean {
  return status < 500 && status !== 409;
}

function setEnded(now: boolean): void {
  if (ended === now) return;
  ended = now;
  for (const watcher of watchers) watcher();
}

/** Whether a refusal says that the browser works with another account record now. */
async function isOfOtherRecord(response: Response): Promise<boolean> {
  const refusal: unknown = await response.json().catch(() => null);
  return isObject(refusal) && isObject(refusal.error) && refusal.error.param === SHOWN_RECORD_HEADER;
}

/** Loads the home page, since this page shows things of the other account record. The promise stays open. */
function leaveToOtherRecord(): Promise<never> {
  try {
    sessionStorage.setItem(SWITCHED, 'yes');
  } catch {
    // Storage may be off: then nothing says why.
  }
  location.assign(appUrl(''));
  return new Promise(() => undefined);
}
