import classes from './share-bar.module.css';

const WHOLE = 100;

/** How much of a whole something is, drawn beside the number that says it. What is owed has no bar. */
export function ShareBar({ share }: { readonly share: number }) {
  const width = Math.min(Math.max(share, 0), 1) * WHOLE;
  return (
    <svg className={classes.bar} viewBox={`0 0 ${WHOLE} 1`} preserveAspectRatio="none" aria-hidden="true">
      <rect className={classes.whole} width={WHOLE} height={1} />
      <rect className={classes.share} width={width} height={1} />
    </svg>
  );
}
