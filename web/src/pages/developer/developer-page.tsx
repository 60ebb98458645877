import type { ReactNode } from 'react';
import { Page } from '../../parts/page.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { PATHS } from '../../routing/paths.ts';
import { DEVELOPER } from '../../text/developer.ts';

const TABS = [
  { to: PATHS.apiKeys, name: DEVELOPER.apiKeys },
  { to: PATHS.events, name: DEVELOPER.events },
  { to: PATHS.eventDestinations, name: DEVELOPER.eventDestinations },
  { to: PATHS.reference, name: DEVELOPER.reference },
  { to: PATHS.agents, name: DEVELOPER.agents },
  { to: PATHS.connectedApps, name: DEVELOPER.connectedApps },
  { to: PATHS.simplefin, name: DEVELOPER.simplefin },
] as const;

interface DeveloperPageProps {
  readonly title: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** One of the pages for those who write programs, with the way to the others above it. */
export function DeveloperPage({ title, actions, children }: DeveloperPageProps) {
  return (
    <>
      <Tabs label={DEVELOPER.parts} tabs={TABS} />
      <Page title={title} actions={actions}>
        {children}
      </Page>
    </>
  );
}
