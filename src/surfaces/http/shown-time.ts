import { formatInstant, isTimeZone, type LocalDate, localDateAt } from '../../vocabulary/moments.ts';
import { type Html, html } from './html.ts';

/**
 * The pages of the server are in English whatever a browser asks for, so their dates are too. Of the kinds of English
 * this one names the zones of the banks we read from as their customers do: AEST and NZDT, where others say GMT+10.
 */
const LOCALE = 'en-AU';

const DAY = { day: 'numeric', month: 'long', year: 'numeric' } as const;
const MOMENT = { ...DAY, hour: 'numeric', minute: '2-digit', timeZoneName: 'short' } as const;

/** The day of an instant in an account record's zone, `25 November 2026`; machines read the instant itself. */
export function shownDay(instant: Date, timezone: string): Html {
  // A zone was known when it was chosen, and an older runtime may not know it: a page that failed would help no one.
  const text = isTimeZone(timezone) ? textOf(instant, timezone, DAY) : `${textOf(instant, 'UTC', DAY)} (UTC)`;
  return marked(instant, text);
}

/** The day of an instant in an account record's zone, `2026-11-25`, for the name of a file. */
export function fileDay(epochMs: number, timezone: string): LocalDate {
  return localDateAt(epochMs, isTimeZone(timezone) ? timezone : 'UTC');
}

/** An instant in an account record's zone, `25 November 2026 at 1:05 am AEDT`; machines read the instant itself. */
export function shownMoment(instant: Date, timezone: string): Html {
  return marked(instant, momentText(instant, timezone));
}

/** The words of `shownMoment` alone, for an attribute, which holds no markup. */
export function momentText(instant: Date, timezone: string): string {
  return textOf(instant, isTimeZone(timezone) ? timezone : 'UTC', MOMENT);
}

function textOf(instant: Date, timeZone: string, style: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat(LOCALE, { ...style, timeZone }).format(instant);
}

function marked(instant: Date, text: string): Html {
  return html`<time datetime="${formatInstant(instant.getTime())}">${text}</time>`;
}
