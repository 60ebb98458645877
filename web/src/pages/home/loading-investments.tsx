import { Skeleton } from '@mantine/core';
import { Card } from '../../parts/card.tsx';
import { LoadingRows } from '../../parts/loading-rows.tsx';
import { HOME } from '../../text/home.ts';
import { MOST_INVESTED } from './held-accounts.ts';
import classes from './home.module.css';

/** In the size of the investments, so that little moves when they come. */
export function LoadingInvestments({ count }: { readonly count: number }) {
  return (
    <Card title={HOME.investments}>
      <div className={classes.totals}>
        <Skeleton height={56} width={180} />
      </div>
      <LoadingRows count={Math.min(count, MOST_INVESTED)} />
      <div className={classes.notes}>
        <p>{HOME.investmentsText}</p>
      </div>
    </Card>
  );
}
