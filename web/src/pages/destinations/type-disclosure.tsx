import type { Destination } from '#client';
import { appUrl } from '../../api/app-url.ts';
import { Card } from '../../parts/card.tsx';
import { NEW_DESTINATION } from '../../text/new-destination.ts';
import classes from './destinations.module.css';

/** The section of docs/destination-services.md about each type; a webhook has a page of its own. */
const GUIDES: Readonly<Record<Destination['type'], string>> = {
  sheets: 'destination-services#google-sheets',
  notion: 'destination-services#notion',
  airtable: 'destination-services#airtable',
  ynab: 'destination-services#ynab',
  webhook: 'webhooks',
  postgres: 'destination-services#postgres',
  actual: 'destination-services#actual-budget',
};

/** What a destination is for, and what connecting it means for a person's data: said before anything is shared. */
export function TypeDisclosure({ type }: Pick<Destination, 'type'>) {
  const { types, before, purpose, needs, sends, asks, stays, copied, more } = NEW_DESTINATION;
  const words = types[type];
  return (
    <Card
      title={before}
      aside={
        <a href={appUrl(`docs/${GUIDES[type]}`).href} target="_blank" rel="noreferrer">
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
