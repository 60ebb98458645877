import { appUrl } from '../../api/app-url.ts';
import { Card } from '../../parts/card.tsx';
import { SIMPLEFIN } from '../../text/simplefin.ts';
import classes from '../developer/developer.module.css';

/** How a program is connected, and where it asks for the token. */
export function HowCard() {
  return (
    <Card
      title={SIMPLEFIN.how}
      aside={
        <a href={appUrl('docs/simplefin').href} target="_blank" rel="noreferrer">
          {SIMPLEFIN.guide}
        </a>
      }
    >
      <div className={`${classes.inside} ${classes.stack}`}>
        <ol className={classes.steps}>
          {SIMPLEFIN.steps.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
        <details>
          <summary className={classes.summary}>{SIMPLEFIN.programsTitle}</summary>
          <dl className={classes.programs}>
            {SIMPLEFIN.programs.map(([name, where]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd className={classes.meaning}>{where}</dd>
              </div>
            ))}
          </dl>
        </details>
      </div>
    </Card>
  );
}
