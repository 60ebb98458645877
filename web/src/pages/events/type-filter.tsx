import { NativeSelect } from '@mantine/core';
import { EVENT_KIND_NAMES } from '../../../../src/vocabulary/event-kinds.ts';
import {
  EVENT_FAMILIES,
  type EventSelector,
  isEventSelector,
} from '../../../../src/vocabulary/event-selectors.ts';
import { EVENTS } from '../../text/events.ts';
import classes from '../developer/developer.module.css';
import { nounWords } from './event-words.ts';

interface TypeFilterProps {
  readonly type: EventSelector | undefined;
  readonly onChange: (type: EventSelector | undefined) => void;
}

const ALL = '*';

/** Kinds below the family they belong to. */
const GROUPS = EVENT_FAMILIES.map((family) => ({
  group: nounWords(family),
  items: [
    { value: family, label: EVENTS.family(nounWords(family)) },
    ...EVENT_KIND_NAMES.filter((kind) => kind.startsWith(family.slice(0, -1))).map((kind) => ({
      value: kind,
      label: kind,
    })),
  ],
}));

export function TypeFilter({ type, onChange }: TypeFilterProps) {
  return (
    <NativeSelect
      className={classes.filter ?? ''}
      label={EVENTS.type}
      value={type ?? ALL}
      data={[{ value: ALL, label: EVENTS.all }, ...GROUPS]}
      onChange={({ currentTarget: { value } }) =>
        onChange(isEventSelector(value) && value !== ALL ? value : undefined)
      }
    />
  );
}
