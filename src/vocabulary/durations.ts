const UNITS = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const DURATION = /^(0|[1-9]\d{0,5})([mhd])$/;
/** What `parseDuration` reads, as a pattern of JSON Schema. */
export const DURATION_PATTERN = '^(?:0|(?:0|[1-9]\\d{0,5})[mhd])$';

/**
 * Milliseconds of a length of time such as `90m`, `12h` or `7d` (`grace`, docs/authentication.md#rotation), or null for
 * any other text. A bare `0` is allowed; any other number needs a unit.
 */
export function parseDuration(text: string): number | null {
  if (text === '0') return 0;
  const [, count, unit] = DURATION.exec(text) ?? [];
  if (count === undefined || (unit !== 'm' && unit !== 'h' && unit !== 'd')) return null;
  return Number(count) * UNITS[unit];
}
