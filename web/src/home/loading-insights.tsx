import { Skeleton, VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import { Card } from '../parts/card.tsx';
import classes from '../parts/insights.module.css';
import { CHARTS } from '../text/charts.ts';
import { PROBLEMS } from '../text/problems.ts';
import worth from './net-worth.module.css';

interface WorthFrameProps {
  readonly choices?: ReactNode;
  readonly children: ReactNode;
}

/** The card of the net worth, with room for the choice of a currency, so that nothing moves when it comes. */
export function WorthFrame({ choices, children }: WorthFrameProps) {
  return (
    <Card title={CHARTS.worth} aside={<div className={worth.controls}>{choices}</div>}>
      {children}
    </Card>
  );
}

/** In the size of the net worth, with the sentence that is always below it. */
export function LoadingWorth() {
  return (
    <div role="status">
      <VisuallyHidden>{PROBLEMS.loading}</VisuallyHidden>
      <WorthFrame>
        <div className={worth.figures} aria-hidden="true">
          <Skeleton height={72} width={220} />
          <Skeleton height={40} width={260} />
        </div>
        <LoadingLine />
      </WorthFrame>
    </div>
  );
}

/** In the size of the line over time and what is below it. */
export function LoadingLine() {
  return (
    <>
      <div className={worth.loadingChart} aria-hidden="true">
        <Skeleton height="92%" />
      </div>
      <p className={worth.notes}>{CHARTS.worthHow}</p>
    </>
  );
}

/** In the size of income and spending. */
export function LoadingBudget() {
  return <LoadingCard title={CHARTS.budget} />;
}

/** In the size of where the money went. */
export function LoadingSpending() {
  return <LoadingCard title={CHARTS.spending} />;
}

function LoadingCard({ title }: { readonly title: string }) {
  return (
    <div role="status">
      <VisuallyHidden>{PROBLEMS.loading}</VisuallyHidden>
      <Card title={title}>
        <div className={classes.loading} aria-hidden="true">
          <Skeleton height={36} width={180} />
          <Skeleton height={200} mt={20} />
        </div>
      </Card>
    </div>
  );
}
