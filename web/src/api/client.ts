import { Tributary } from '#client';
import { appUrl } from './app-url.ts';
import { sessionFetch, stayingFetch } from './session.ts';
import { shownRecordHeader } from './shown-record.ts';

/** A check of a sync may take ten minutes. The service ends what takes too long, and so does leaving the page. */
const TIMEOUT_MS = 900_000;

const options = { url: appUrl('.').href, retries: 0, timeoutMs: TIMEOUT_MS, headers: shownRecordHeader };

/** v2 on the application's own origin, as the signed-in person. React Query retries reads (`queries.ts`). */
export const api = new Tributary({ ...options, fetch: sessionFetch });

/** The same for undoing: what it writes is not given up when the person goes to another page. */
export const undoApi = new Tributary({ ...options, fetch: stayingFetch });
