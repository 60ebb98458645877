import { addDays, type LocalDate, parseInstant, startOfDay } from './moments.ts';

const MAX_REMEMBERED = 20_000;

/** Epoch milliseconds at which the day has begun, and at which it has ended, both in UTC and in the zone. */
interface SharedHours {
  readonly from: number;
  readonly until: number;
}

/** By zone and day: a list needs the same few days over and over, and the beginning of a day is expensive to find. */
const remembered = new Map<string, SharedHours>();

/**
 * Epoch milliseconds of a moment that falls on the day both in UTC and in the zone, the nearest one to `instant` (RFC
 * 3339), or in the middle where it is null. An app that reads a date from a moment does so in UTC or in its user's
 * zone, so it finds the bank's day either way.
 */
export function momentOnDay(day: LocalDate, instant: string | null, zone: string): number {
  const { from, until } = sharedHours(day, zone);
  const at = instant === null ? null : parseInstant(instant);
  if (at === null) return (from + until) / 2;
  return Math.min(Math.max(at, from), until - 1000);
}

function sharedHours(day: LocalDate, zone: string): SharedHours {
  const name = `${day} ${zone}`;
  const known = remembered.get(name);
  if (known !== undefined) return known;
  const next = addDays(day, 1);
  const hours = {
    from: Math.max(Date.parse(day), startOfDay(day, zone)),
    until: Math.min(Date.parse(next), startOfDay(next, zone)),
  };
  if (remembered.size >= MAX_REMEMBERED) remembered.clear();
  remembered.set(name, hours);
  return hours;
}
