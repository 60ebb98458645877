import { LinkButton } from '../../parts/link-button.tsx';
import { PATHS } from '../../routing/paths.ts';
import { WELCOME } from '../../text/welcome.ts';
import { Step } from './step.tsx';
import type { Tour } from './tour-state.ts';
import classes from './welcome.module.css';

/** The steps after the bank where destinations are real: each leads to the page that does it. */
export function GuideSteps({ tour: { bank, destination, sync } }: { readonly tour: Tour }) {
  const steps = [
    { ...WELCOME.destination, to: PATHS.newDestination, done: destination !== null, after: bank !== null },
    { ...WELCOME.sync, to: PATHS.newSync, done: sync !== null, after: bank !== null && destination !== null },
  ];
  return steps.map(({ title, text, action, to, done, after }, at) => (
    <Step key={to} number={at + 2} title={title} state={done ? 'done' : after ? 'now' : 'later'}>
      <p className={classes.text}>{text}</p>
      {done ? null : (
        <LinkButton to={to} variant={after ? 'filled' : 'default'} className={classes.action ?? ''}>
          {action}
        </LinkButton>
      )}
    </Step>
  ));
}
