/**
 * The query of an address. Vendors and people write addresses, so every value stays text: the router's own parser turns
 * `2026` and `20.00` into numbers.
 */
export function parseSearch(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text));
}

export function stringifySearch(search: Readonly<Record<string, unknown>>): string {
  const texts = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) {
    if (typeof value === 'string') texts.append(name, value);
  }
  return texts.size === 0 ? '' : `?${texts.toString()}`;
}

/** The query of an address. It may come from anywhere, so only these parameters are accepted, and only as text. */
export type Search = Readonly<Record<string, unknown>>;

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Whether an address names a day of the calendar; the format alone would allow the 31st of February. */
export function isCalendarDay(text: unknown): text is string {
  if (typeof text !== 'string' || !DAY.test(text)) return false;
  const at = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}
