import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { Destination, DestinationResource } from '#client';
import { DESTINATION_KINDS } from '../../../src/vocabulary/destination-kinds.ts';
import type { SyncType } from '../../../src/vocabulary/syncs.ts';
import { api } from '../api/client.ts';
import { Problem } from '../parts/page-states.tsx';
import { TARGETS } from '../text/destination-targets.ts';
import classes from './destinations.module.css';
import { ResourceList } from './resource-list.tsx';
import { firstName } from './targets.ts';

interface NewTargetProps {
  readonly destination: Destination;
  /** What it will contain, if that is known. */
  readonly syncType?: SyncType | undefined;
  readonly onDone: (aimed: Destination) => void;
}

const MOST_CHARACTERS = 200;

/** Makes a spreadsheet, database or table at the vendor. */
export function NewTarget({ destination, syncType, onDone }: NewTargetProps) {
  const { id, type } = destination;
  const { holds } = DESTINATION_KINDS[type];
  const [name, setName] = useState<string>(TARGETS.defaultName);
  const [nameMissing, setNameMissing] = useState(false);
  const [held, setHeld] = useState(syncType ?? 'transactions');
  const [parent, setParent] = useState<DestinationResource | null>(null);
  const make = useMutation({
    mutationFn: async () => {
      const aimed = await api.destinations.createTarget({
        id,
        name: name.trim(),
        parent: parent?.id ?? null,
        type: held,
      });
      const renamed = firstName(destination, name);
      // It is made, whatever it is called here.
      return renamed.name === undefined
        ? aimed
        : api.destinations.update({ id, ...renamed }).catch(() => aimed);
    },
    onSuccess: onDone,
  });
  const made = DESTINATION_KINDS[type].target.makes;
  const shape = DESTINATION_KINDS[type].target.steps;
  if (made === null || shape === null) return null;
  const kind = TARGETS.kinds[made.kind].one;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() === '') setNameMissing(true);
    else make.mutate();
  };
  return (
    <form className={classes.steps} onSubmit={submit} noValidate>
      <TextInput
        label={TARGETS.name}
        value={name}
        maxLength={MOST_CHARACTERS}
        error={nameMissing ? TARGETS.nameMissing : undefined}
        onChange={({ currentTarget }) => {
          setName(currentTarget.value);
          setNameMissing(false);
        }}
      />
      {syncType !== undefined || holds.length === 1 ? null : (
        <NativeSelect
          label={TARGETS.holds}
          description={TARGETS.holdsHint}
          value={held}
          data={holds.map((value) => ({ value, label: TARGETS.holdsChoices[value] }))}
          onChange={({ currentTarget }) =>
            setHeld(holds.find((one) => one === currentTarget.value) ?? 'transactions')
          }
        />
      )}
      {made.parent === 'none' ? null : (
        <ResourceList
          destination={id}
          kind={shape.outer.kind}
          legend={TARGETS.inside(TARGETS.kinds[shape.outer.kind].one)}
          chosen={parent}
          onChoose={setParent}
        />
      )}
      {make.error === null ? null : <Problem error={make.error} title={TARGETS.makeFailed(kind)} />}
      <p className={classes.hint}>{make.error === null ? TARGETS.making : TARGETS.makeFailedText}</p>
      <div className={classes.below}>
        <Button
          type="submit"
          loading={make.isPending}
          disabled={made.parent === 'required' && parent === null}
        >
          {TARGETS.make(kind)}
        </Button>
      </div>
    </form>
  );
}
