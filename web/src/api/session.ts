import { SHOWN_RECORD_HEADER } from '../../../src/vocabulary/shown-record.ts';
import { appUrl, leaveToSignIn } from './app-url.ts';
import { isObject } from './json.ts';
import { WriteKeys } from './write-keys.ts';

/** The browser's storage of this tab says so after the page has been loaded anew. */
const SWITCHED = 'account-record-switched';
const IDEMPOTENCY_KEY = 'idempotency-key';

let ended = false;
let shown: string | null = null;
const watchers = new Set<() => void>();
const writes = new WriteKeys();

/**
 * Whether the session has ended while a page is shown, and a way to hear of changes, in the form `useSyncExternalStore`
 * takes. The page stays: what has been typed into it must not be lost.
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

/** The first account record that this document reads of is the one it shows for as long as it lives. */
export function showRecord(id: string): void {
  shown ??= id;
}

/** Goes with every request, so that the service refuses what is meant for another account record. */
export function shownRecordHeader(): Readonly<Record<string, string>> {
  return shown === null ? {} : { [SHOWN_RECORD_HEADER]: shown };
}

/** Whether the document was loaded anew because the browser had switched to another account record; asked once. */
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
 * The fetch of every request to v2. Without a session it leaves for the sign-in page and never answers, unless a page is
 * shown already: that stays, and says so. It leaves for home where the browser has switched to another account record. A
 * write whose answer was lost has the same idempotency key when it is tried again.
 */
export const sessionFetch: typeof fetch = async (address, init) => {
  const headers = new Headers(init?.headers);
  const write = `${init?.method} ${address} ${init?.body ?? ''}`;
  const fresh = headers.get(IDEMPOTENCY_KEY);
  const key = fresh === null ? null : writes.keyOf(write, fresh);
  if (key !== null) headers.set(IDEMPOTENCY_KEY, key);
  const hadEnded = ended;
  // A proxy in front of the service may redirect: to another origin, which the browser refuses, it is as no answer.
  const response = await fetch(address, { ...init, headers, redirect: 'follow' }).catch((error: unknown) => {
    if (key !== null && init?.signal?.aborted !== true) writes.lost(write, key);
    throw error;
  });
  if (key !== null) {
    if (isFinal(response)) writes.answered();
    else writes.lost(write, key);
  }
  if (response.ok) {
    // What was asked before the session ended says nothing of it.
    if (hadEnded) setEnded(false);
    return response;
  }
  if (response.status === 401) {
    if (shown === null) return leaveToSignIn();
    setEnded(true);
  }
  if (await isOfOtherRecord(response.clone())) return leaveToOtherRecord();
  return response;
};

/** A program in between may answer for a service that does the work all the same; so may another attempt, still at it. */
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

/** Loads home anew, since this page is of things of the other account record. The promise stays open. */
function leaveToOtherRecord(): Promise<never> {
  try {
    sessionStorage.setItem(SWITCHED, 'yes');
  } catch {
    // Storage may be off: then nothing says why.
  }
  location.assign(appUrl(''));
  return new Promise(() => undefined);
}
