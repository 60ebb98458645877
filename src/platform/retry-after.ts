import type { Clock } from './clock.ts';

/**
 * The wait that a Retry-After header asks for, in milliseconds: seconds or an HTTP date (RFC 9110, section
 * 10.2.3). Undefined when there is none or it cannot be read; 0 for a date that has passed.
 */
export function retryAfterMs(header: string | undefined, clock: Clock): number | undefined {
  const text = header?.trim();
  if (text === undefined || text === '') return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000;
  if (!/^[A-Z][a-z]{2,8}, .{1,40}$/.test(text)) return undefined;
  const moment = Date.parse(text);
  return Number.isNaN(moment) ? undefined : Math.max(0, moment - clock.now());
}
