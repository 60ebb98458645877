import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { PROBLEMS } from '../../text/problems.ts';
import classes from './sync-checks.module.css';

const A_PAGE = 50;

/** The first rows of a list that is all here, and the button that shows more of it. */
export function useFirstRows<T>(rows: readonly T[]): {
  readonly shown: readonly T[];
  readonly more: ReactNode;
} {
  const [count, setCount] = useState(A_PAGE);
  return {
    shown: rows.slice(0, count),
    more:
      rows.length <= count ? null : (
        <div className={classes.more}>
          <Button variant="default" size="xs" onClick={() => setCount(count + A_PAGE)}>
            {PROBLEMS.showMore}
          </Button>
        </div>
      ),
  };
}
