import { CONSOLE_PAGES } from '../../../../src/vocabulary/consoles.ts';
import { APP_PATHS } from '../../../../src/vocabulary/page-paths.ts';
import type { Scope } from '../../../../src/vocabulary/scopes.ts';
import { CATEGORIES } from '../../text/categories.ts';
import { DEVELOPER } from '../../text/developer.ts';
import { GUIDES } from '../../text/guides.ts';
import { TRADES } from '../../text/investments.ts';
import { providerTexts } from '../../text/kinds.ts';
import { PALETTE } from '../../text/palette.ts';
import { SHELL } from '../../text/shell.ts';
import { TRANSACTIONS } from '../../text/transactions.ts';
import { PLACES } from '../places.ts';
import type { Entry, Place } from './entries.ts';

type Fixed = Omit<Entry, 'detail'>;

const page = (to: NonNullable<Place['to']>, name: string, icon: Entry['icon']): Fixed => ({
  id: `page:${to}`,
  kind: 'page',
  name,
  icon,
  choice: { does: 'open', place: { to } },
});

const leave = (
  kind: 'page' | 'settings' | 'guide',
  address: string,
  name: string,
  icon: Entry['icon'],
): Fixed => ({ id: `${kind}:${address}`, kind, name, icon, choice: { does: 'leave', address } });

/** Pages of the application that are not in the navigation, and the lists of guides and settings. */
const FURTHER_PAGES: readonly Fixed[] = [
  page(APP_PATHS.statementFiles, providerTexts('statement_files').name, 'bank'),
  page(APP_PATHS.recurring, TRANSACTIONS.recurring, 'list'),
  page(APP_PATHS.merchants, TRANSACTIONS.merchants, 'list'),
  page(APP_PATHS.trades, TRADES.title, 'chart'),
  page(APP_PATHS.rulesets, CATEGORIES.rules, 'tag'),
  page(APP_PATHS.events, DEVELOPER.events, 'code'),
  page(APP_PATHS.eventDestinations, DEVELOPER.eventDestinations, 'code'),
  page(APP_PATHS.reference, DEVELOPER.reference, 'code'),
  page(APP_PATHS.agents, DEVELOPER.agents, 'code'),
  page(APP_PATHS.connectedApps, DEVELOPER.connectedApps, 'code'),
  page(APP_PATHS.simplefin, DEVELOPER.simplefin, 'code'),
  page(APP_PATHS.welcome, PALETTE.pages.firstSteps, 'home'),
  leave('page', 'docs/guides', SHELL.guides, 'list'),
];

const plain = (one: Fixed): Entry => ({ ...one, detail: '' });

/** The places of the navigation, in its order. */
export const PLACE_ENTRIES: readonly Entry[] = [
  ...PLACES.flat().map(({ to, name, icon }) => ({
    ...page(to, name, icon),
    // The page of keys is where the navigation leads.
    detail: to === APP_PATHS.apiKeys ? DEVELOPER.apiKeys : '',
  })),
  plain(leave('settings', 'settings', SHELL.settings, 'gear')),
];

/** Every page without a part to fill in. */
export const PAGE_ENTRIES: readonly Entry[] = [...PLACE_ENTRIES, ...FURTHER_PAGES.map(plain)];

/** An entry, and the scope that it needs if it needs any. */
type Allowed = readonly (readonly [entry: Entry, scope: Scope | null])[];

const setting = (address: string, name: string, icon: Entry['icon']): Entry => ({
  ...leave('settings', address, name, icon),
  detail: SHELL.settings,
});

export const SETTINGS_ENTRIES: Allowed = [
  [setting('settings/security', PALETTE.settings.security, 'shield'), null],
  [setting('settings/notifications', PALETTE.settings.notifications, 'gear'), null],
  // What only those who may do everything see.
  [setting('settings/activity', PALETTE.settings.activity, 'gear'), 'keys:write'],
];

export const GUIDE_ENTRIES: readonly Entry[] = [
  ...Object.entries(GUIDES),
  ...CONSOLE_PAGES.map(({ page: name, title }) => [name, title] as const),
].map(([name, title]) => plain(leave('guide', `docs/${name}`, title, 'list')));

const action = (id: string, name: string, icon: Entry['icon'], choice: Entry['choice']): Entry => ({
  id: `action:${id}`,
  kind: 'action',
  name,
  detail: '',
  icon,
  choice,
});

/** What can be begun from anywhere. */
export const ACTION_ENTRIES: Allowed = [
  [
    action('link', PALETTE.does.link, 'bank', { does: 'open', place: { to: APP_PATHS.newConnection } }),
    'connections:write',
  ],
  [
    action('sync', PALETTE.does.sync, 'sync', { does: 'open', place: { to: APP_PATHS.newSync } }),
    'syncs:write',
  ],
  [
    action('destination', PALETTE.does.destination, 'send', {
      does: 'open',
      place: { to: APP_PATHS.newDestination },
    }),
    'destinations:write',
  ],
  [
    action('key', PALETTE.does.key, 'key', { does: 'open', place: { to: APP_PATHS.newApiKey } }),
    'keys:write',
  ],
  [
    action('event-destination', PALETTE.does.eventDestination, 'code', {
      does: 'open',
      place: { to: APP_PATHS.newEventDestination },
    }),
    'events:write',
  ],
  ...(['auto', 'light', 'dark'] as const).map(
    (theme) =>
      [action(`theme-${theme}`, PALETTE.does.theme[theme], 'gear', { does: 'theme', theme }), null] as const,
  ),
  [action('keys', PALETTE.does.keys, 'list', { does: 'keys' }), null],
  [action('sign-out', PALETTE.does.signOut, 'person', { does: 'sign-out' }), null],
];
