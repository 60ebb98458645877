import { Button } from '@mantine/core';
import { useEffect, useRef } from 'react';
import type { TargetKind } from '../../../../src/vocabulary/destination-kinds/kind.ts';
import { TARGETS } from '../../text/destination-targets.ts';
import classes from './targets.module.css';

interface ChosenParentProps {
  readonly kind: TargetKind;
  readonly name: string;
  readonly onOther: () => void;
}

/** What was chosen first. It takes the focus, because the button that was pressed is gone. */
export function ChosenParent({ kind, name, onOther }: ChosenParentProps) {
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
