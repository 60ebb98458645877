import { APP_PATHS } from '../../../src/vocabulary/page-paths.ts';
import { SHELL } from '../text/shell.ts';

export interface Place {
  readonly to: (typeof APP_PATHS)[keyof typeof APP_PATHS];
  readonly icon: 'home' | 'bank' | 'list' | 'chart' | 'sync' | 'send' | 'tag' | 'code';
  readonly name: string;
  readonly onPhone: boolean;
  /** Pages that belong to it but have other addresses. */
  readonly covers?: readonly (typeof APP_PATHS)[keyof typeof APP_PATHS][];
}

/** Where the navigation leads, in groups. A phone shows the places marked for it, and the others behind "More". */
export const PLACES: readonly (readonly Place[])[] = [
  [
    { to: APP_PATHS.home, icon: 'home', name: SHELL.home, onPhone: true },
    {
      to: APP_PATHS.connections,
      icon: 'bank',
      name: SHELL.connections,
      onPhone: true,
      covers: [APP_PATHS.account],
    },
    {
      to: APP_PATHS.transactions,
      icon: 'list',
      name: SHELL.transactions,
      onPhone: true,
      covers: [APP_PATHS.recurring, APP_PATHS.merchants],
    },
    {
      to: APP_PATHS.holdings,
      icon: 'chart',
      name: SHELL.holdings,
      onPhone: false,
      covers: [APP_PATHS.trades],
    },
  ],
  [
    { to: APP_PATHS.syncs, icon: 'sync', name: SHELL.syncs, onPhone: true, covers: [APP_PATHS.syncRun] },
    { to: APP_PATHS.destinations, icon: 'send', name: SHELL.destinations, onPhone: false },
    {
      to: APP_PATHS.categories,
      icon: 'tag',
      name: SHELL.categories,
      onPhone: false,
      covers: [APP_PATHS.rulesets],
    },
  ],
  [{ to: APP_PATHS.apiKeys, icon: 'code', name: SHELL.developer, onPhone: false }],
];

/** The place to which a page belongs; every page except the welcome page has one. */
export function placeAt(pathname: string): Place | null {
  const isBelow = (path: string) => {
    const start = path.replace(/\/\$.*$/, '');
    return pathname === start || (path !== APP_PATHS.home && pathname.startsWith(`${start}/`));
  };
  return PLACES.flat().find(({ to, covers = [] }) => [to, ...covers].some(isBelow)) ?? null;
}
