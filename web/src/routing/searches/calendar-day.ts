const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Whether an address names a day of the calendar; the form alone would let the 31st of February through. */
export function isCalendarDay(text: unknown): text is string {
  if (typeof text !== 'string' || !DAY.test(text)) return false;
  const at = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}
