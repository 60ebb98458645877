import { createRootRoute } from '@tanstack/react-router';
import { BrokenPage } from '../shell/broken-page.tsx';
import { Shell } from '../shell/shell.tsx';

export const rootRoute = createRootRoute({ component: Shell, errorComponent: BrokenPage });

/** The parent of every page. */
export function underRoot() {
  return rootRoute;
}
