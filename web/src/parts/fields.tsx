import { type ReactNode, useId } from 'react';
import classes from './form.module.css';

interface FieldsProps {
  readonly legend: string;
  readonly hint?: string;
  readonly children: ReactNode;
}

/** Fields that belong together, under a name that is read out with each of them. */
export function Fields({ legend, hint, children }: FieldsProps) {
  return (
    <fieldset className={classes.fieldset}>
      <legend className={classes.legend}>{legend}</legend>
      {hint === undefined ? null : <p className={classes.hint}>{hint}</p>}
      {children}
    </fieldset>
  );
}

interface ChoicesProps<T extends string> {
  readonly label: string;
  readonly choices: readonly { readonly value: T; readonly name: string }[];
  readonly chosen: T;
  readonly onChoose: (value: T) => void;
}

/** A choice between a few views. Renders nothing if there is no choice. */
export function Choices<T extends string>({ label, choices, chosen, onChoose }: ChoicesProps<T>) {
  if (choices.length < 2) return null;
  return (
    <fieldset className={classes.choices} aria-label={label}>
      {choices.map(({ value, name }) => (
        <button
          key={value}
          type="button"
          className={classes.choice}
          aria-pressed={value === chosen}
          onClick={() => onChoose(value)}
        >
          {name}
        </button>
      ))}
    </fieldset>
  );
}

interface CheckProps {
  readonly label: string;
  readonly hint?: string;
  readonly checked: boolean;
  readonly disabled?: boolean;
  readonly onChange: (checked: boolean) => void;
  /** With a group's name it is one of several choices, otherwise a separate one. */
  readonly group?: string;
}

/** A checkbox or radio button, with its meaning below it. */
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
