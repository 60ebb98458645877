import classes from './status-badge.module.css';

export type Tone = 'good' | 'warn' | 'bad' | 'idle';

/** A status in a word, and in a colour that says no more than the word. */
export function StatusBadge({ tone, children }: { readonly tone: Tone; readonly children: string }) {
  return (
    <span className={`${classes.badge} ${classes[tone]}`}>
      <span className={classes.dot} aria-hidden="true" />
      {children}
    </span>
  );
}
