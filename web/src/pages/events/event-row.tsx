import { Link } from '@tanstack/react-router';
import type { ServiceEvent } from '#client';
import { agoText } from '../../format/moments.ts';
import rows from '../../parts/rows.module.css';
import { PATHS } from '../../routing/paths.ts';
import classes from '../developer/developer.module.css';
import { whenWords } from './event-words.ts';

export function EventRow({ event }: { readonly event: ServiceEvent }) {
  return (
    <li className={rows.row}>
      <div className={rows.words}>
        <p className={rows.name}>
          <Link to={PATHS.event} params={{ id: event.id }} className={`${rows.link} ${classes.code}`}>
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
