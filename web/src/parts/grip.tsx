import { UnstyledButton } from '@mantine/core';
import classes from './grip.module.css';
import { Icon } from './icon.tsx';
import type { GripHandlers } from './use-drag-order.ts';

interface GripProps {
  readonly label: string;
  /** Id of an element that says which keys move it. */
  readonly hint: string;
  readonly handlers: GripHandlers;
}

/** The handle for dragging a row. */
export function Grip({ label, hint, handlers }: GripProps) {
  return (
    <UnstyledButton className={classes.grip ?? ''} aria-label={label} aria-describedby={hint} {...handlers}>
      <Icon name="grip" size={16} />
    </UnstyledButton>
  );
}
