import type { ReactNode } from 'react';
import classes from './empty.module.css';

interface EmptyProps {
  readonly title: string;
  readonly text: string;
  /** The one thing to do about it. */
  readonly action?: ReactNode;
}

/** Where there is nothing yet: what would be here, and how to get it. */
export function Empty({ title, text, action }: EmptyProps) {
  return (
    <div className={classes.empty}>
      <h2 className={classes.title}>{title}</h2>
      <p className={classes.text}>{text}</p>
      {action === undefined ? null : <div className={classes.action}>{action}</div>}
    </div>
  );
}
