import { Button } from '@mantine/core';
import { ApiError, UnreachableError } from '#client';
import { freshSignIn, signIn } from '../api/app-url.ts';
import { ScriptMissing } from '../api/new-release.ts';
import { PROBLEMS } from '../text/problems.ts';
import { Icon } from './icon.tsx';
import classes from './problem.module.css';

interface ProblemProps {
  readonly error: unknown;
  /** What could not be done; by default, that something could not be loaded. */
  readonly title?: string;
  readonly again?: () => void;
}

/** What failed, what it means and what to do, in the service's own words where it has some. */
export function Problem({ error, title = PROBLEMS.title, again }: ProblemProps) {
  const known = error instanceof ApiError ? error : null;
  const signedOut = known?.status === 401;
  const fresh = known?.code === 'fresh_sign_in_required';
  return (
    <div className={classes.problem} role="alert">
      <Icon name="warning" size={20} />
      <div className={classes.words}>
        <p className={classes.title}>{title}</p>
        <p className={classes.text}>{textOf(error)}</p>
        <div className={classes.more}>
          {again === undefined ? null : (
            <Button size="xs" variant="default" onClick={again}>
              {PROBLEMS.again}
            </Button>
          )}
          {fresh || signedOut ? (
            <>
              <a href={(fresh ? freshSignIn() : signIn()).href} target="_blank" rel="noreferrer">
                {PROBLEMS.signIn}
              </a>
              <span>{PROBLEMS.signInHint}</span>
            </>
          ) : null}
          {known?.docUrl == null || signedOut ? null : (
            <a href={known.docUrl} target="_blank" rel="noreferrer">
              {PROBLEMS.explain}
            </a>
          )}
          {known?.requestId == null ? null : (
            <span className={classes.reference}>{PROBLEMS.reference(known.requestId)}</span>
          )}
        </div>
      </div>
    </div>
  );
}

function textOf(error: unknown): string {
  if (error instanceof UnreachableError) return PROBLEMS.unreachable;
  if (error instanceof ScriptMissing) return PROBLEMS.scriptMissing;
  if (!(error instanceof ApiError)) return PROBLEMS.unknown;
  // The service speaks of keys, which nobody has here.
  return error.status === 401 ? PROBLEMS.signedOut : error.message;
}
