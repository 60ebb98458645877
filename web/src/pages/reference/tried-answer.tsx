import { StatusBadge } from '../../parts/status-badge.tsx';
import { REFERENCE } from '../../text/reference.ts';
import { JsonText } from './json-text.tsx';
import classes from './reference.module.css';
import type { RawAnswer } from './try-request.ts';

/** An answer as it came: status, headers and body. */
export function TriedAnswer({ answer }: { readonly answer: RawAnswer }) {
  const { status, ms, headers, text, cut } = answer;
  return (
    <>
      <p className={classes.outcome} role="status">
        <StatusBadge tone={status < 300 ? 'good' : 'bad'}>{`${REFERENCE.status} ${status}`}</StatusBadge>
        <span className={classes.hint}>{REFERENCE.took(ms)}</span>
      </p>
      <details className={classes.members}>
        <summary>{REFERENCE.answerHeaders}</summary>
        <JsonText
          label={REFERENCE.answerHeaders}
          text={headers.map(([name, value]) => `${name}: ${value}`).join('\n')}
        />
      </details>
      <JsonText label={REFERENCE.answerBody} text={readable(text)} />
      {cut ? <p className={classes.hint}>{REFERENCE.cut}</p> : null}
    </>
  );
}

/** JSON with line breaks; anything else, a part of JSON included, as it came. */
function readable(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
