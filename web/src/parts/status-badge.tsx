import classes from './status-badge.module.css';

export type Tone = 'good' | 'warn' | 'bad' | 'idle';

/** A status as a word, and as a colour that adds no information. */
export function StatusBadge({ tone, children }: { readonly tone: Tone; readonly children: string }) {
  return (
    <span className={`${classes.badge} ${classes[tone]}`}>
      <span className={classes.dot} aria-hidden="true" />
      {children}
    </span>
  );
}
