import { createRootRoute, type ErrorComponentProps } from '@tanstack/react-router';
import { APP_PATHS } from '../../../src/vocabulary/page-paths.ts';
import { appUrl } from '../api/app-url.ts';
import { LinkButton } from '../parts/buttons.tsx';
import { Page } from '../parts/page.tsx';
import { Problem } from '../parts/page-states.tsx';
import { PROBLEMS } from '../text/problems.ts';
import { SHELL } from '../text/shell.ts';
import { Shell } from './shell.tsx';

export const rootRoute = createRootRoute({ component: Shell, errorComponent: BrokenPage });

/** The parent of every page. */
export function underRoot() {
  return rootRoute;
}

/** Shown in place of a page that failed; the rest of the application keeps working. */
function BrokenPage({ error, reset }: ErrorComponentProps) {
  return <Problem error={error} title={PROBLEMS.failed} again={reset} />;
}

/** For an unknown address within the application. */
export function MissingPage() {
  const { title, text, action, documentation } = SHELL.missing;
  return (
    <Page title={title}>
      <p>{text}</p>
      <p>
        <a href={appUrl('docs/guides').href}>{documentation}</a>
      </p>
      <LinkButton to={APP_PATHS.home} mt="md">
        {action}
      </LinkButton>
    </Page>
  );
}
