import { Button } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { Card } from '../../parts/card.tsx';
import { Problem } from '../../parts/problem.tsx';
import { REFERENCE } from '../../text/reference.ts';
import type { DescribedOperation } from './described-operation.ts';
import classes from './reference.module.css';
import { requestPath, type Values } from './sample-request.ts';
import { TriedAnswer } from './tried-answer.tsx';
import { type RawAnswer, tryRequest } from './try-request.ts';

interface TryCardProps {
  readonly operation: DescribedOperation;
  readonly values: Values;
}

type Tried =
  | { readonly state: 'idle' | 'sending' }
  | { readonly state: 'answered'; readonly answer: RawAnswer }
  | { readonly state: 'failed'; readonly error: unknown };

/** Sends what the example sends, where that changes nothing. Only this page holds the answer. */
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
