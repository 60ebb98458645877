import { LinkButton } from '../parts/buttons.tsx';
import { Page } from '../parts/page.tsx';
import { PATHS } from '../routing/paths.ts';
import { SHELL } from '../text/shell.ts';

/** An address within the application at which there is nothing. */
export function MissingPage() {
  const { title, text, action } = SHELL.missing;
  return (
    <Page title={title}>
      <p>{text}</p>
      <LinkButton to={PATHS.home} mt="md">
        {action}
      </LinkButton>
    </Page>
  );
}
