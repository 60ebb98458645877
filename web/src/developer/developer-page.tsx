import type { ReactNode } from 'react';
import { ApiError } from '#client';
import { APP_PATHS } from '../../../src/vocabulary/page-paths.ts';
import { NotYours } from '../parts/owner-only.tsx';
import { Page } from '../parts/page.tsx';
import { Problem } from '../parts/page-states.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { DEVELOPER } from '../text/developer.ts';
import classes from './developer.module.css';

const TABS = [
  { to: APP_PATHS.apiKeys, name: DEVELOPER.apiKeys },
  { to: APP_PATHS.events, name: DEVELOPER.events },
  { to: APP_PATHS.eventDestinations, name: DEVELOPER.eventDestinations },
  { to: APP_PATHS.reference, name: DEVELOPER.reference },
  { to: APP_PATHS.agents, name: DEVELOPER.agents },
  { to: APP_PATHS.connectedApps, name: DEVELOPER.connectedApps },
  { to: APP_PATHS.simplefin, name: DEVELOPER.simplefin },
] as const;

interface DeveloperPageProps {
  readonly title: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A page for developers, with links to the others above it. */
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

const PART = /`([^`]*)`|[^`]+/g;

/** Text in which what is between backticks is code, as the description of v2 writes it. */
export function CodeWords({ text }: { readonly text: string }) {
  return [...text.matchAll(PART)].map(({ 0: plain, 1: code, index }) =>
    code === undefined ? (
      plain
    ) : (
      <code key={index} className={classes.code}>
        {code}
      </code>
    ),
  );
}

interface RefusalProps {
  readonly error: unknown;
  readonly again: () => void;
}

/** Why a page cannot be shown. A reader's lack of access is not a failure, and retrying would not change it. */
export function Refusal({ error, again }: RefusalProps) {
  return error instanceof ApiError && error.code === 'insufficient_scope' ? (
    <NotYours />
  ) : (
    <Problem error={error} again={again} />
  );
}
