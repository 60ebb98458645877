const DAY_MS = 86_400_000;

/** The local day `days` days after another, or before it if negative. */
export function dayAway(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);
}

/** How many days a period has, including both ends. */
export function daysIn({ from, to }: { readonly from: string; readonly to: string }): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS) + 1;
}

/** Every day from one to another, both included. */
export function daysBetween(from: string, to: string): readonly string[] {
  const count = Math.max(0, daysIn({ from, to }));
  return Array.from({ length: count }, (_, at) => dayAway(from, at));
}

/** The month of a local day, `2026-07`. */
export function monthOf(day: string): string {
  return day.slice(0, 7);
}

/** The last day of a month, `2026-02` gives `2026-02-28`. */
export function lastDayOf(month: string): string {
  const [year = 0, at = 1] = month.split('-').map(Number);
  return new Date(Date.UTC(year, at, 0)).toISOString().slice(0, 10);
}

/** This many months, ending with that of the day, oldest first. */
export function monthsUntil(day: string, count: number): readonly string[] {
  const [year = 0, month = 1] = day.split('-').map(Number);
  return Array.from({ length: count }, (_, at) =>
    new Date(Date.UTC(year, month - count + at, 1)).toISOString().slice(0, 7),
  );
}
