import { Link } from '@tanstack/react-router';
import type { ServiceEvent } from '#client';
import { EVENT_KINDS, type EventKind } from '../../../../src/vocabulary/event-kinds.ts';
import { APP_PATHS } from '../../../../src/vocabulary/page-paths.ts';
import { agoText } from '../../format/moments.ts';
import rows from '../../parts/rows.module.css';
import { EVENTS } from '../../text/events.ts';
import classes from '../developer.module.css';

export function EventRow({ event }: { readonly event: ServiceEvent }) {
  return (
    <li className={rows.row}>
      <div className={rows.words}>
        <p className={rows.name}>
          <Link to={APP_PATHS.event} params={{ id: event.id }} className={`${rows.link} ${classes.code}`}>
            {event.type}
          </Link>
        </p>
        <p className={rows.detail}>
          {`${whenWords(event.type)} · `}
          <span className={classes.code}>{event.related_object.id}</span>
        </p>
      </div>
      <p className={rows.detail}>{agoText(event.created)}</p>
    </li>
  );
}

const WORDS: Readonly<Record<string, string>> = EVENTS.resources;

/** What a family of events is about: `sync_run.*` is about sync runs. */
export function nounWords(family: string): string {
  const resource = family.slice(0, family.indexOf('.'));
  return WORDS[resource] ?? resource;
}

/** When an event of the kind happens, as a sentence of its own. */
export function whenWords(kind: EventKind): string {
  const when = EVENT_KINDS[kind].when.replaceAll('`', '');
  return `${when.charAt(0).toUpperCase()}${when.slice(1)}`;
}
