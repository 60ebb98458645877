import { Skeleton, VisuallyHidden } from '@mantine/core';
import { Card } from '../parts/card.tsx';
import classes from '../parts/insights.module.css';
import { INSIGHTS } from '../text/insights.ts';
import { PROBLEMS } from '../text/problems.ts';

const TITLES = [INSIGHTS.position.title, INSIGHTS.budget.title, INSIGHTS.spending.title];

/** In the size of the charts, so that nothing moves when they come. */
export function LoadingInsights() {
  return (
    <div role="status">
      <VisuallyHidden>{PROBLEMS.loading}</VisuallyHidden>
      {TITLES.map((title) => (
        <Card key={title} title={title}>
          <div className={classes.loading} aria-hidden="true">
            <Skeleton height={36} width={180} />
            <Skeleton height={200} mt={20} />
          </div>
        </Card>
      ))}
    </div>
  );
}
