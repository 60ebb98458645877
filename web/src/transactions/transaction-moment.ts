import { dayIn, dayText, timeText } from '../format/moments.ts';

const OFFSET = /([+-]\d{2}:\d{2})$/;

/**
 * The day of a transaction with the time of day: in the bank's own offset if the bank gives one, or else in the zone. A
 * time that falls on another day is left out, and so is midnight, which means that there is none.
 */
export function transactionMoment(day: string | null, moment: string | null, zone: string): string | null {
  if (day === null) return null;
  const time = moment === null ? null : timeOn(day, moment, zone);
  return time === null ? dayText(day) : `${dayText(day)}, ${time}`;
}

function timeOn(day: string, moment: string, zone: string): string | null {
  if (Number.isNaN(Date.parse(moment)) || /T00:00(?::00(?:\.0+)?)?(?:Z|[+-])/.test(moment)) return null;
  if (!OFFSET.test(moment)) return dayIn(zone, 0, Date.parse(moment)) === day ? timeText(moment, zone) : null;
  // Read as if it were UTC, the text shows what the bank's clock showed.
  const shown = moment.replace(OFFSET, 'Z');
  return shown.slice(0, day.length) === day ? timeText(shown, 'UTC') : null;
}
