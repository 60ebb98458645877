import type { ReactNode } from 'react';
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
