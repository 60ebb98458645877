import { useEffect } from 'react';
import { Icon } from '../../parts/icon.tsx';
import { PALETTE } from '../../text/palette.ts';
import type { Entry } from './entries.ts';
import classes from './palette.module.css';

interface Section {
  /** Null for the only one. */
  readonly title: string | null;
  readonly entries: readonly Entry[];
  /** Whether they are of several kinds, each of which is named. */
  readonly isMixed: boolean;
}

interface EntryListProps {
  readonly id: string;
  readonly sections: readonly Section[];
  readonly active: Entry | null;
  readonly optionId: (entry: Entry) => string;
  readonly onPoint: (entry: Entry) => void;
  readonly onChoose: (entry: Entry) => void;
}

/** The listbox of the palette. The focus stays in the field, which names the active option. */
export function EntryList({ id, sections, active, optionId, onPoint, onChoose }: EntryListProps) {
  const activeId = active === null ? null : optionId(active);
  useEffect(() => {
    if (activeId !== null) document.getElementById(activeId)?.scrollIntoView({ block: 'nearest' });
  }, [activeId]);
  const options = (entries: readonly Entry[], isMixed: boolean) =>
    entries.map((entry) => (
      <button
        key={entry.id}
        id={optionId(entry)}
        type="button"
        role="option"
        tabIndex={-1}
        aria-selected={entry === active}
        className={classes.option}
        onPointerMove={() => onPoint(entry)}
        onPointerDown={(event) => event.preventDefault()}
        onClick={() => onChoose(entry)}
      >
        <Icon name={entry.icon} />
        <span className={classes.words}>
          <span className={classes.name}>{entry.name}</span>
          {entry.detail === '' ? null : <span className={classes.detail}>{entry.detail}</span>}
        </span>
        {!isMixed || entry.kind === 'search' ? null : (
          <span className={classes.kind}>{PALETTE.kinds[entry.kind]}</span>
        )}
      </button>
    ));
  return (
    <div className={classes.list} id={id} role="listbox" aria-label={PALETTE.list}>
      {sections.map(({ title, entries, isMixed }) =>
        title === null ? (
          options(entries, isMixed)
        ) : (
          <fieldset key={title} className={classes.group} aria-label={title}>
            <div className={classes.heading} aria-hidden="true">
              {title}
            </div>
            {options(entries, isMixed)}
          </fieldset>
        ),
      )}
    </div>
  );
}
