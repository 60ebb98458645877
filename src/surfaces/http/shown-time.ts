import { formatInstant, isTimeZone, type LocalDate, localDateAt } from '../../vocabulary/moments.ts';
import { type Html, html } from './html.ts';

/**
 * Server-rendered pages are in English whatever the browser prefers, and so are their dates. This locale calls the time
 * zones of our banks AEST and NZDT, as their customers do; other English locales have GMT+10.
 */
const LOCALE = 'en-AU';

const DAY = { day: 'numeric', month: 'long', year: 'numeric' } as const;
const MOMENT = { ...DAY, hour: 'numeric', minute: '2-digit', timeZoneName: 'short' } as const;

/** The day of an instant in an account record's zone, `25 November 2026`; the markup contains the instant itself. */
export function shownDay(instant: Date, timezone: string): Html {
  // The zone was valid when it was chosen, but an older runtime may not know it; the page should not fail because of
  // that.
  const text = isTimeZone(timezone) ? textOf(instant, timezone, DAY) : `${textOf(instant, 'UTC', DAY)} (UTC)`;
  return marked(instant, text);
}

/** The day of an instant in an account record's zone, `2026-11-25`, for the name of a file. */
export function fileDay(epochMs: number, timezone: string): LocalDate {
  return localDateAt(epochMs, isTimeZone(timezone) ? timezone : 'UTC');
}

/**
 * An instant in an account record's zone, `25 November 2026 at 1:05 am AEDT`; the markup contains the instant itself.
 */
export function shownMoment(instant: Date, timezone: string): Html {
  return marked(instant, momentText(instant, timezone));
}

/** The text of `shownMoment`, for attributes, which cannot contain markup. */
export function momentText(instant: Date, timezone: string): string {
  return textOf(instant, isTimeZone(timezone) ? timezone : 'UTC', MOMENT);
}

function textOf(instant: Date, timeZone: string, style: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat(LOCALE, { ...style, timeZone }).format(instant);
}

function marked(instant: Date, text: string): Html {
  return html`<time datetime="${formatInstant(instant.getTime())}">${text}</time>`;
}
