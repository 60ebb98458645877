import type { Destination } from '#client';

import { DESTINATION_KINDS } from '../../../../src/vocabulary/destination-kinds.ts';
import { appUrl } from '../../api/app-url.ts';
import { Card } from '../../parts/card.tsx';
import { NEW_DESTINATION } from '../../text/new-destination.ts';
import classes from './destinations.module.css';

/** What a destination is for, and what connecting it means for a person's data: said before anything is shared. */
export function TypeDisclosure({ type }: Pick<Destination, 'type'>) {
  const { before, purpose, needs, sends, asks, stays, copied, more } = NEW_DESTINATION;
  const words = DESTINATION_KINDS[type].texts;
  return (
    <Card
      title={before}
      aside={
        <a href={appUrl(`docs/${words.guide}`).href} target="_blank" rel="noreferrer">
          {more}
        </a>
      }
    >
      <dl className={classes.disclosure}>
        {[
          [purpose, words.for],
          [needs, words.needs],
          [sends, words.sends],
          [asks, words.asks],
          [stays, words.stays],
        ].map(([name, text]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <p className={classes.note}>{copied}</p>
    </Card>
  );
}
