import { appUrl } from '../../api/app-url.ts';
import { CopyText } from '../../parts/copy-text.tsx';
import { NEW_DESTINATION } from '../../text/new-destination.ts';
import classes from './destinations.module.css';

/** A signing secret, which the service shows this once, and what a receiver does with it. */
export function SecretOnce({ secret }: { readonly secret: string }) {
  const { title, once, verify, how, receivers } = NEW_DESTINATION.secret;
  return (
    <div className={classes.stack}>
      <p>{once}</p>
      <CopyText label={title} text={secret} />
      <p className={classes.muted}>{verify}</p>
      <p className={classes.links}>
        <a href={appUrl('docs/webhooks#the-request').href} target="_blank" rel="noreferrer">
          {how}
        </a>
        <a href={appUrl('docs/receiving-events').href} target="_blank" rel="noreferrer">
          {receivers}
        </a>
      </p>
    </div>
  );
}
