import type { Method } from '../../../../src/vocabulary/description/described-operation.ts';
import classes from './reference.module.css';

const TONES: Readonly<Record<Method, string | undefined>> = {
  GET: classes.get,
  POST: classes.post,
  PATCH: classes.patch,
  DELETE: classes.delete,
};

export function MethodBadge({ method }: { readonly method: Method }) {
  return <span className={`${classes.method} ${TONES[method]}`}>{method}</span>;
}
