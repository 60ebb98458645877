import { Button } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import type { DescribedOperation } from '../../../../src/vocabulary/description/described-operation.ts';
import { requestPath, type Values } from '../../../../src/vocabulary/description/sample-request.ts';
import { api } from '../../api/client.ts';
import { Card } from '../../parts/card.tsx';
import { Problem } from '../../parts/page-states.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { REFERENCE } from '../../text/reference.ts';
import classes from './reference.module.css';

/** A response of v2 as received. */
interface RawAnswer {
  readonly status: number;
  readonly ms: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly text: string;
  /** Whether it was longer than what is shown. */
  readonly cut: boolean;
}

/** Enough of a response to look at, since an export can have any length. */
const MOST_BYTES = 200_000;

/** Reads an address below `/v2/` as the person who is signed in. Raises UnreachableError. */
async function tryRequest(path: string, signal: AbortSignal): Promise<RawAnswer> {
  const started = performance.now();
  const response = await api.exchange({ method: 'GET', path, signal });
  const { text, cut } = await beginning(response);
  return {
    status: response.status,
    ms: performance.now() - started,
    headers: [...response.headers],
    text,
    cut,
  };
}

async function beginning({ body }: Response): Promise<Pick<RawAnswer, 'text' | 'cut'>> {
  if (body === null) return { text: '', cut: false };
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (let bytes = 0; bytes < MOST_BYTES; ) {
    const { done, value } = await reader.read();
    if (done) return { text: text + decoder.decode(), cut: false };
    bytes += value.byteLength;
    text += decoder.decode(value, { stream: true });
  }
  await reader.cancel();
  return { text, cut: true };
}

interface TryCardProps {
  readonly operation: DescribedOperation;
  readonly values: Values;
}

type Tried =
  | { readonly state: 'idle' | 'sending' }
  | { readonly state: 'answered'; readonly answer: RawAnswer }
  | { readonly state: 'failed'; readonly error: unknown };

/** Sends the example request, if it changes nothing. Only this page keeps the response. */
export function TryCard({ operation, values }: TryCardProps) {
  const [tried, setTried] = useState<Tried>({ state: 'idle' });
  const leaving = useRef(new AbortController());
  useEffect(() => {
    const own = new AbortController();
    leaving.current = own;
    return () => own.abort();
  }, []);
  if (operation.method !== 'GET' || operation.answers['text/event-stream'] !== undefined) return null;
  const missing = operation.parameters
    .filter(({ name, required, in: place }) => required && place !== 'header' && !values[name])
    .map(({ name }) => name);
  const send = () => {
    const { signal } = leaving.current;
    setTried({ state: 'sending' });
    tryRequest(requestPath(operation, values), signal).then(
      (answer) => setTried({ state: 'answered', answer }),
      (error: unknown) => {
        if (!signal.aborted) setTried({ state: 'failed', error });
      },
    );
  };
  return (
    <Card title={REFERENCE.try} aside={REFERENCE.tryAside}>
      <div className={classes.inside}>
        <p className={classes.hint}>
          {missing.length === 0 ? REFERENCE.tryText : REFERENCE.incomplete(missing)}
        </p>
        <div>
          <Button loading={tried.state === 'sending'} disabled={missing.length > 0} onClick={send}>
            {REFERENCE.send}
          </Button>
        </div>
        {tried.state === 'failed' ? <Problem error={tried.error} title={REFERENCE.sendFailed} /> : null}
        {tried.state === 'answered' ? <TriedAnswer answer={tried.answer} /> : null}
      </div>
    </Card>
  );
}

/** A response as received: status, headers and body. */
function TriedAnswer({ answer }: { readonly answer: RawAnswer }) {
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

/** JSON with line breaks; anything else, including incomplete JSON, unchanged. */
function readable(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

const MOST_LINES = 24;

/** Text of any length. A field scrolls by keyboard, which a block of text does not. */
export function JsonText({ label, text }: { readonly label: string; readonly text: string }) {
  return (
    <textarea
      className={classes.json}
      aria-label={label}
      readOnly
      spellCheck={false}
      rows={Math.min(text.split('\n').length, MOST_LINES)}
      value={text}
    />
  );
}
