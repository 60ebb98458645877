import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { Destination, DestinationResource } from '#client';
import type { TargetKind } from '../../../src/vocabulary/destination-kinds/kind.ts';
import { DESTINATION_KINDS } from '../../../src/vocabulary/destination-kinds.ts';
import { api } from '../api/client.ts';
import { Problem } from '../parts/page-states.tsx';
import { TARGETS } from '../text/destination-targets.ts';
import classes from './destinations.module.css';
import { ResourceList } from './resource-list.tsx';
import { firstName, targetOf } from './targets.ts';

interface ExistingTargetProps {
  readonly destination: Destination;
  readonly onDone: (aimed: Destination) => void;
}

/** Chooses something that exists at the vendor: first the container, then what is inside it. */
export function ExistingTarget({ destination, onDone }: ExistingTargetProps) {
  const { id, type, target } = destination;
  const shape = DESTINATION_KINDS[type].target.steps;
  const [outer, setOuter] = useState<DestinationResource | null>(null);
  const [inner, setInner] = useState<DestinationResource | null>(null);
  const aim = useMutation({
    mutationFn: (chosen: Destination['target']) =>
      api.destinations.update({ id, target: chosen, ...firstName(destination, outer?.name ?? '') }),
    onSuccess: onDone,
  });
  if (shape === null) return null;
  const nameOf = (step: { readonly kind: TargetKind }) => TARGETS.kinds[step.kind].one;
  const complete = outer !== null && (shape.inner === null || inner !== null);
  return (
    <div className={classes.steps}>
      {outer === null || shape.inner === null ? (
        <ResourceList
          destination={id}
          kind={shape.outer.kind}
          legend={TARGETS.choose(nameOf(shape.outer))}
          chosen={outer}
          current={target[shape.outer.key]}
          onChoose={setOuter}
          leadsOn={shape.inner !== null}
        />
      ) : (
        <>
          <ChosenParent
            kind={shape.outer.kind}
            name={outer.name}
            onOther={() => {
              setOuter(null);
              setInner(null);
            }}
          />
          <ResourceList
            key={outer.id}
            destination={id}
            kind={shape.inner.kind}
            parent={outer.id}
            legend={TARGETS.chooseIn(nameOf(shape.inner), outer.name)}
            chosen={inner}
            current={target[shape.outer.key] === outer.id ? target[shape.inner.key] : undefined}
            onChoose={setInner}
          />
        </>
      )}
      {aim.error === null ? null : <Problem error={aim.error} title={TARGETS.aimFailed} />}
      <div className={classes.below}>
        <Button
          disabled={!complete}
          loading={aim.isPending}
          onClick={() => outer !== null && aim.mutate(targetOf(shape, outer, inner))}
        >
          {TARGETS.aim(nameOf(shape.inner ?? shape.outer))}
        </Button>
      </div>
    </div>
  );
}

interface ChosenParentProps {
  readonly kind: TargetKind;
  readonly name: string;
  readonly onOther: () => void;
}

/** What was chosen first. It takes the focus, because the button that was pressed is gone. */
function ChosenParent({ kind, name, onOther }: ChosenParentProps) {
  const chosen = useRef<HTMLParagraphElement>(null);
  useEffect(() => chosen.current?.focus(), []);
  const { one } = TARGETS.kinds[kind];
  return (
    <div className={classes.picked}>
      <p className={classes.pickedName} tabIndex={-1} ref={chosen}>
        <span className={classes.hint}>{TARGETS.chosen(one)}</span>
        <span>{name}</span>
      </p>
      <Button variant="default" size="xs" onClick={onOther}>
        {TARGETS.other(one)}
      </Button>
    </div>
  );
}
