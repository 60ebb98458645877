import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { ApiError } from '#client';
import { signIn } from '../api/app-url.ts';
import { me } from '../api/me.ts';
import { endedSession } from '../api/session.ts';
import { Icon } from '../parts/icon.tsx';
import problem from '../parts/problem.module.css';
import { PROBLEMS } from '../text/problems.ts';
import { SHELL } from '../text/shell.ts';
import classes from './shell.module.css';

/** Says above the page that the session has ended, and goes on with the page once there is one again. */
export function EndedSession() {
  const ended = useSyncExternalStore(endedSession.watch, endedSession.read);
  const client = useQueryClient();
  const { title, text, again, notYet } = SHELL.ended;
  // Any answer says that there is a session again. Of another account record there is none: the document is left then.
  const check = useMutation({
    mutationFn: () => client.fetchQuery({ ...me, staleTime: 0 }),
    // The button that had the focus is gone.
    onSuccess: () => document.querySelector('main')?.focus({ preventScroll: true }),
  });
  const { error, reset } = check;
  useEffect(() => {
    if (!ended) return;
    return () => {
      client.invalidateQueries();
      reset();
    };
  }, [ended, client, reset]);
  if (!ended) return null;
  return (
    <div className={`${problem.problem} ${classes.ended}`} role="alert">
      <Icon name="warning" size={20} />
      <div className={problem.words}>
        <p className={problem.title}>{title}</p>
        <p className={problem.text}>{text}</p>
        {error === null ? null : (
          <p className={problem.text}>
            {error instanceof ApiError && error.status === 401 ? notYet : PROBLEMS.unreachable}
          </p>
        )}
        <div className={problem.more}>
          <a href={signIn().href} target="_blank" rel="noreferrer">
            {PROBLEMS.signIn}
          </a>
          <Button size="xs" variant="default" loading={check.isPending} onClick={() => check.mutate()}>
            {again}
          </Button>
        </div>
      </div>
    </div>
  );
}
