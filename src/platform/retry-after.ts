import type { Clock } from './clock.ts';

/** What a header can ask for: quotas that end with the day are honoured, and no mistake of a server stops us longer. */
export const MOST_RETRY_AFTER_MS = 86_400_000;

/**
 * The wait that a Retry-After header asks for, in milliseconds: seconds or an HTTP date (RFC 9110, section
 * 10.2.3), at most a day. Undefined when there is none or it cannot be read; 0 for a date that has passed.
 */
export function retryAfterMs(header: string | undefined, clock: Clock): number | undefined {
  const text = header?.trim();
  if (text === undefined || text === '') return undefined;
  if (/^\d{1,300}$/.test(text)) return Math.min(MOST_RETRY_AFTER_MS, Number(text) * 1_000);
  if (!/^[A-Z][a-z]{2,8}, .{1,40}$/.test(text)) return undefined;
  const moment = Date.parse(text);
  return Number.isNaN(moment) ? undefined : Math.min(MOST_RETRY_AFTER_MS, Math.max(0, moment - clock.now()));
}
