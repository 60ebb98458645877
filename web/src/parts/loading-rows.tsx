import { Skeleton, VisuallyHidden } from '@mantine/core';
import { PROBLEMS } from '../text/problems.ts';
import classes from './rows.module.css';

/** Rows of the size the real ones will have, so that nothing moves when they come. */
export function LoadingRows({ count }: { readonly count: number }) {
  return (
    <div role="status">
      <VisuallyHidden>{PROBLEMS.loading}</VisuallyHidden>
      <div className={classes.rows} aria-hidden="true">
        {Array.from({ length: count }, (_, at) => `row ${at}`).map((row) => (
          <div className={classes.row} key={row}>
            <Skeleton circle height={36} />
            <div className={classes.words}>
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
