import { Button, Loader } from '@mantine/core';
import classes from './sync-checks.module.css';

interface CheckingProps {
  readonly text: string;
  readonly stop: string;
  readonly onStop: () => void;
}

/** While something long is read: what happens, and the way out of it. */
export function Checking({ text, stop, onStop }: CheckingProps) {
  return (
    <div className={classes.checking} role="status">
      <Loader size="sm" aria-hidden="true" />
      <span className={classes.grow}>{text}</span>
      <Button variant="default" size="xs" onClick={onStop}>
        {stop}
      </Button>
    </div>
  );
}
