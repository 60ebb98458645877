import { useId } from 'react';
import classes from './form.module.css';

interface CheckProps {
  readonly label: string;
  readonly hint?: string;
  readonly checked: boolean;
  readonly disabled?: boolean;
  readonly onChange: (checked: boolean) => void;
  /** With a group's name it is one choice of several, else it stands for itself. */
  readonly group?: string;
}

/** Something to tick, or one of several to choose, with what it means below it. */
export function Check({ label, hint, checked, disabled = false, onChange, group }: CheckProps) {
  const hintId = useId();
  return (
    <label className={classes.check}>
      <input
        type={group === undefined ? 'checkbox' : 'radio'}
        name={group}
        checked={checked}
        disabled={disabled}
        aria-describedby={hint === undefined ? undefined : hintId}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
      <span className={classes.checkWords}>
        <span>{label}</span>
        {hint === undefined ? null : (
          <span className={classes.hint} id={hintId} aria-hidden="true">
            {hint}
          </span>
        )}
      </span>
    </label>
  );
}
