import { Link } from '@tanstack/react-router';
import { DESTINATION_KINDS, DESTINATION_TYPES } from '../../../../src/vocabulary/destination-kinds.ts';
import { Icon } from '../../parts/icon.tsx';
import { Monogram } from '../../parts/monogram.tsx';
import { PATHS } from '../../routing/paths.ts';
import { NEW_DESTINATION } from '../../text/new-destination.ts';
import classes from './destinations.module.css';

/** What can be written to, and what each is for. */
export function TypeList() {
  return (
    <ul className={classes.types} aria-label={NEW_DESTINATION.choices}>
      {DESTINATION_TYPES.map((type) => (
        <li key={type}>
          <Link to={PATHS.newDestination} search={{ type }} className={classes.type}>
            <Monogram name={DESTINATION_KINDS[type].texts.name} />
            <span className={classes.typeWords}>
              <span className={classes.typeName}>{DESTINATION_KINDS[type].texts.name}</span>
              <span className={classes.muted}>{DESTINATION_KINDS[type].texts.for}</span>
            </span>
            <Icon name="chevron" size={16} />
          </Link>
        </li>
      ))}
    </ul>
  );
}
