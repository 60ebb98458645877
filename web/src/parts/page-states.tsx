import { Button, Skeleton, VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ApiError, UnreachableError } from '#client';
import { holderOf, switchRecord } from '../api/account-records.ts';
import { freshSignIn, signIn } from '../api/app-url.ts';
import { useRecordName } from '../api/me.ts';
import { ScriptMissing } from '../api/new-release.ts';
import { PROBLEMS } from '../text/problems.ts';
import { Icon } from './icon.tsx';
import classes from './page-states.module.css';
import rows from './rows.module.css';

/** Rows of the size the real ones will have, so that nothing moves when they come. */
export function LoadingRows({ count }: { readonly count: number }) {
  return (
    <div role="status">
      <VisuallyHidden>{PROBLEMS.loading}</VisuallyHidden>
      <div className={rows.rows} aria-hidden="true">
        {Array.from({ length: count }, (_, at) => `row ${at}`).map((row) => (
          <div className={rows.row} key={row}>
            <Skeleton circle height={36} />
            <div className={rows.words}>
              <Skeleton height={14} width="42%" />
              <Skeleton height={12} width="26%" mt={7} />
            </div>
            <Skeleton height={14} width={72} />
          </div>
        ))}
      </div>
    </div>
  );
}

interface EmptyProps {
  readonly title: string;
  readonly text: string;
  /** The one thing to do about it. */
  readonly action?: ReactNode;
}

/** The empty state: what would be here, and how to get it. */
export function Empty({ title, text, action }: EmptyProps) {
  return (
    <div className={classes.empty}>
      <h2 className={classes.emptyTitle}>{title}</h2>
      <p className={classes.emptyText}>{text}</p>
      {action === undefined ? null : <div className={classes.action}>{action}</div>}
    </div>
  );
}

interface ProblemProps {
  readonly error: unknown;
  /** What could not be done; by default, that something could not be loaded. */
  readonly title?: string;
  readonly again?: () => void;
}

/** What failed, what it means and what to do, with the service's own message if there is one. */
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
          {known?.code === 'resource_missing' ? <OfOtherRecord /> : null}
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

/** Leads to what the address names in another account record of the person, if they share the one that has it. */
function OfOtherRecord() {
  const several = useRecordName() !== null;
  const id = location.pathname.split('/').at(-1) ?? '';
  const { data } = useQuery({ ...holderOf(id), enabled: several });
  if (data == null) return null;
  return (
    <Button size="xs" variant="default" onClick={() => switchRecord(data.id, location.pathname)}>
      {PROBLEMS.switchTo(data.label)}
    </Button>
  );
}

function textOf(error: unknown): string {
  if (error instanceof UnreachableError) return PROBLEMS.unreachable;
  if (error instanceof ScriptMissing) return PROBLEMS.scriptMissing;
  if (!(error instanceof ApiError)) return PROBLEMS.unknown;
  // The service's message is about keys, which do not exist here.
  return error.status === 401 ? PROBLEMS.signedOut : error.message;
}
