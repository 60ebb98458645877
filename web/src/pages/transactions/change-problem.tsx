import { ApiError } from '#client';
import { Problem } from '../../parts/page-states.tsx';
import { CATEGORY_CHANGE } from '../../text/category-change.ts';
import classes from './transaction-dialog.module.css';

/** Why a change was refused; somebody who may only read is also advised whom to ask. */
export function ChangeProblem({ error, title }: { readonly error: unknown; readonly title: string }) {
  if (error === null) return null;
  const readOnly = error instanceof ApiError && error.status === 403;
  return (
    <>
      <Problem error={error} title={title} />
      {readOnly ? <p className={classes.note}>{CATEGORY_CHANGE.readOnly}</p> : null}
    </>
  );
}
