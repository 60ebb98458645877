import { useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { Destination } from '#client';
import { DESTINATION_KINDS } from '../../../src/vocabulary/destination-kinds.ts';
import type { SyncType } from '../../../src/vocabulary/syncs.ts';
import { destination as destinationQuery, destinations } from '../api/destinations.ts';
import { Check, Fields } from '../parts/fields.tsx';
import { TARGETS } from '../text/destination-targets.ts';
import { destinationTexts } from '../text/kinds.ts';
import classes from './destinations.module.css';
import { ExistingTarget } from './existing-target.tsx';
import { NewTarget } from './new-target.tsx';

interface TargetPickerProps {
  readonly destination: Destination;
  /** The type of the sync that is to write there, if one is being set up. */
  readonly syncType?: SyncType;
  /** Runs with the destination as it is afterwards: active, with a target. */
  readonly onDone: (aimed: Destination) => void;
}

/**
 * Chooses or creates what a destination writes to. Only for a draft can something be created: a destination in use can
 * only be moved to something that exists.
 */
export function TargetPicker({ destination, syncType, onDone }: TargetPickerProps) {
  const { id, type, status } = destination;
  const queries = useQueryClient();
  const group = useId();
  const made = status === 'incomplete' ? DESTINATION_KINDS[type].target.makes : null;
  const [making, setMaking] = useState(made !== null);
  const shape = DESTINATION_KINDS[type].target.steps;
  if (shape === null) return null;
  const done = (aimed: Destination) => {
    queries.setQueryData(destinationQuery(id).queryKey, aimed);
    queries.setQueryData(destinations.queryKey, (known) =>
      known?.map((one) => (one.id === id ? aimed : one)),
    );
    onDone(aimed);
  };
  if (made === null) return <ExistingTarget destination={destination} onDone={done} />;
  return (
    <div className={classes.steps}>
      <Fields legend={TARGETS.how}>
        <Check
          group={group}
          label={TARGETS.makeNew(TARGETS.kinds[made.kind].one)}
          hint={destinationTexts(type).makes}
          checked={making}
          onChange={() => setMaking(true)}
        />
        <Check
          group={group}
          label={TARGETS.existing(TARGETS.kinds[(shape.inner ?? shape.outer).kind].one)}
          hint={TARGETS.existingHint}
          checked={!making}
          onChange={() => setMaking(false)}
        />
      </Fields>
      {making ? (
        <NewTarget destination={destination} syncType={syncType} onDone={done} />
      ) : (
        <ExistingTarget destination={destination} onDone={done} />
      )}
    </div>
  );
}
