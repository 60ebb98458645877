import { appUrl } from '../../api/app-url.ts';
import { Card } from '../../parts/card.tsx';
import { REFERENCE } from '../../text/reference.ts';
import developer from '../developer/developer.module.css';
import type { DeclaredError } from './described-operation.ts';
import classes from './reference.module.css';

/** What a request is refused with, each with the page that says what to do. */
export function ErrorsCard({ errors }: { readonly errors: readonly DeclaredError[] }) {
  return (
    <Card title={REFERENCE.errors} aside={REFERENCE.errorsAside}>
      <ul>
        {errors.map(({ status, code, summary }) => (
          <li key={`${status} ${code}`} className={classes.error}>
            <span className={classes.status}>{status}</span>
            <a className={developer.code} href={appUrl(`docs/errors#${code}`).href}>
              {code}
            </a>
            <span className={developer.meaning}>{summary}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
