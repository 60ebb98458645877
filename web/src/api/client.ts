import { Tributary } from '#client';
import { appUrl } from './app-url.ts';
import { sessionFetch, shownRecordHeader } from './session.ts';

/** A check of a sync may take ten minutes. The service ends what takes too long, and so does leaving the page. */
const TIMEOUT_MS = 900_000;

/** v2 on the application's own origin, as the signed-in person. React Query retries reads (`queries.ts`). */
export const api = new Tributary({
  url: appUrl('.').href,
  retries: 0,
  timeoutMs: TIMEOUT_MS,
  headers: shownRecordHeader,
  fetch: sessionFetch,
});
