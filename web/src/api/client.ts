import { Tributary } from '#client';
import { appUrl } from './app-url.ts';
import { sessionFetch, shownRecordHeader } from './session.ts';

/** A check of a sync may take ten minutes. What takes too long the service ends, and a person who leaves the page. */
const TIMEOUT_MS = 900_000;

/** v2 on the application's own origin, as the person who is signed in. React Query tries reads again (`queries.ts`). */
export const api = new Tributary({
  url: appUrl('.').href,
  retries: 0,
  timeoutMs: TIMEOUT_MS,
  headers: shownRecordHeader,
  fetch: sessionFetch,
});
