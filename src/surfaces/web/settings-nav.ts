import type { SignedIn } from '../../features/sign-in/session-authenticator.ts';
import { MEMBER_ROLES } from '../../vocabulary/member-roles.ts';
import { type Html, html } from '../http/html.ts';
import type { PageContent } from '../http/page.ts';
import { SETTINGS } from '../text/account.ts';
import { OPERATOR } from '../text/operator.ts';
import { pathOf, type WebOptions } from './web-options.ts';

const PAGES = [
  { name: SETTINGS.account, path: '/settings', of: 'everyone' },
  { name: SETTINGS.security, path: '/settings/security', of: 'everyone' },
  { name: SETTINGS.notifications, path: '/settings/notifications', of: 'everyone' },
  { name: SETTINGS.activity, path: '/settings/activity', of: 'owner' },
  { name: SETTINGS.operator, path: '/settings/operator', of: 'operator' },
] as const;

export type SettingsPath = (typeof PAGES)[number]['path'];

/** The frame of a settings page: that of the application, if there is one, and the other pages. */
export async function settingsFrame(
  { appUrl, hasApp, members }: Pick<WebOptions, 'appUrl' | 'hasApp' | 'members'>,
  here: SettingsPath,
  { caller }: SignedIn,
): Promise<Pick<PageContent, 'home' | 'nav' | 'person' | 'place'>> {
  const { email, operator } = await members.person(caller.user);
  const sees = { everyone: true, owner: MEMBER_ROLES[caller.role].manages, operator };
  return {
    home: pathOf(appUrl, '/'),
    ...(here === '/settings/operator' && { person: email }),
    ...(hasApp && { place: '/settings' }),
    nav: PAGES.filter((page) => sees[page.of]).map(({ name, path }) => ({
      name,
      path: pathOf(appUrl, path),
      here: path === here,
    })),
  };
}

const TABS = [
  { name: OPERATOR.accounts, path: '/settings/operator', sandbox: false },
  { name: OPERATOR.health, path: '/settings/operator/health', sandbox: false },
  { name: OPERATOR.sandbox, path: '/settings/operator/sandbox', sandbox: true },
] as const;

/** The pages of the operator, including this one. */
export function operatorTabs(
  { appUrl, operator }: Pick<WebOptions, 'appUrl' | 'operator'>,
  here: (typeof TABS)[number]['path'],
): Html {
  const shown = TABS.filter(({ sandbox }) => !sandbox || operator.sandbox !== null);
  return html`<nav class="tabs" aria-label="${OPERATOR.parts}">${shown.map(
    ({ name, path }) =>
      html`<a href="${pathOf(appUrl, path)}"${path === here ? html` aria-current="page"` : html``}>${name}</a>`,
  )}</nav>`;
}
