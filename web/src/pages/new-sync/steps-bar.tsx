import { Link } from '@tanstack/react-router';
import { PATHS } from '../../routing/paths.ts';
import { NEW_SYNC } from '../../text/new-sync.ts';
import classes from './new-sync.module.css';
import type { Step } from './plan.ts';

interface StepsBarProps {
  readonly steps: readonly Step[];
  readonly here: Step;
  /** Whether the ways back are closed for now. */
  readonly fixed: boolean;
}

/** Where in the steps somebody is, with ways back to those that are done. */
export function StepsBar({ steps, here, fixed }: StepsBarProps) {
  const at = steps.indexOf(here);
  return (
    <nav aria-label={NEW_SYNC.progress}>
      <ol className={classes.steps}>
        {steps.map((step, index) => {
          const words = (
            <>
              <span className={classes.number}>{index + 1}</span>
              <span className={classes.name}>{NEW_SYNC.steps[step]}</span>
            </>
          );
          return (
            <li key={step}>
              {index < at && !fixed ? (
                <Link to={PATHS.newSync} search={{ step }} className={`${classes.step} ${classes.done}`}>
                  {words}
                </Link>
              ) : (
                <span
                  className={`${classes.step} ${index === at ? classes.here : ''}`}
                  aria-current={index === at ? 'step' : undefined}
                >
                  {words}
                </span>
              )}
            </li>
          );
        })}
      </ol>
    </nav>
  );
}
