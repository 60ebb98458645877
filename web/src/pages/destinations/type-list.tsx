import { Link } from '@tanstack/react-router';
import { DESTINATION_TYPES } from '../../../../src/vocabulary/destinations.ts';
import { Icon } from '../../parts/icon.tsx';
import { Monogram } from '../../parts/monogram.tsx';
import { PATHS } from '../../routing/paths.ts';
import { DESTINATIONS } from '../../text/destinations.ts';
import { NEW_DESTINATION } from '../../text/new-destination.ts';
import classes from './destinations.module.css';

/** What can be written to, and what each is for. */
export function TypeList() {
  return (
    <ul className={classes.types} aria-label={NEW_DESTINATION.choices}>
      {DESTINATION_TYPES.map((type) => (
        <li key={type}>
          <Link to={PATHS.newDestination} search={{ type }} className={classes.type}>
            <Monogram name={DESTINATIONS.types[type]} />
            <span className={classes.typeWords}>
              <span className={classes.typeName}>{DESTINATIONS.types[type]}</span>
              <span className={classes.muted}>{NEW_DESTINATION.types[type].for}</span>
            </span>
            <Icon name="chevron" size={16} />
          </Link>
        </li>
      ))}
    </ul>
  );
}
