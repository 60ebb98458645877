import type { ReactNode } from 'react';
import { Icon } from '../parts/icon.tsx';
import { WELCOME } from '../text/welcome.ts';
import classes from './welcome.module.css';

type StepState = 'done' | 'now' | 'later';

interface StepProps {
  readonly number: number;
  readonly title: string;
  readonly state: StepState;
  readonly children: ReactNode;
}

/** One of the steps, with its result or what to press. */
export function Step({ number, title, state, children }: StepProps) {
  return (
    <li className={`${classes.step} ${classes[state]}`} aria-current={state === 'now' ? 'step' : undefined}>
      <span className={classes.number} aria-hidden="true">
        {state === 'done' ? <Icon name="check" size={16} /> : number}
      </span>
      <div className={classes.words}>
        <h2 className={classes.title}>
          {title}
          {state === 'done' ? <span className={classes.state}>{WELCOME.done}</span> : null}
        </h2>
        {children}
      </div>
    </li>
  );
}
