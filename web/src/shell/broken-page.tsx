import type { ErrorComponentProps } from '@tanstack/react-router';
import { Problem } from '../parts/page-states.tsx';
import { PROBLEMS } from '../text/problems.ts';

/** In place of a page that failed; the rest of the application goes on. */
export function BrokenPage({ error, reset }: ErrorComponentProps) {
  return <Problem error={error} title={PROBLEMS.failed} again={reset} />;
}
