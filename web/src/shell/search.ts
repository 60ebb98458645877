/**
 * What an address says besides its path. Addresses are written by vendors and by people, so every value is text and
 * stays as it was written: the router's own reading makes numbers of `2026` and `20.00`.
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

/** What an address says besides its path. It may come from anywhere, so only texts are taken, and only these. */
export type Search = Readonly<Record<string, unknown>>;

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Whether an address names a day of the calendar; the form alone would let the 31st of February through. */
export function isCalendarDay(text: unknown): text is string {
  if (typeof text !== 'string' || !DAY.test(text)) return false;
  const at = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}
