import { ICONS, type IconName } from '../../vocabulary/icons.ts';
import { APP_PATHS } from '../../vocabulary/page-paths.ts';
import { FRAME, SHELL } from '../text/frame.ts';
import { type Html, html } from './html.ts';
import { brand } from './html-document.ts';

type Path = `/${string}`;

/** An entry of the navigation. */
interface ShellPlace {
  readonly to: Path;
  readonly name: string;
  readonly icon: IconName;
  /** Whether phones show it in the bar rather than behind "More". */
  readonly onPhone: boolean;
}

const SETTINGS: ShellPlace = {
  to: '/settings',
  name: SHELL.settings,
  icon: 'gear',
  onPhone: false,
};

/**
 * The navigation of the web application, in its groups. `web/src/shell/places.ts` has the same one; a test compares them.
 */
export const SHELL_PLACES: readonly (readonly ShellPlace[])[] = [
  [
    {
      to: APP_PATHS.home,
      name: SHELL.home,
      icon: 'home',
      onPhone: true,
    },
    {
      to: APP_PATHS.connections,
      name: SHELL.connections,
      icon: 'bank',
      onPhone: true,
    },
    {
      to: APP_PATHS.transactions,
      name: SHELL.transactions,
      icon: 'list',
      onPhone: true,
    },
    {
      to: APP_PATHS.holdings,
      name: SHELL.holdings,
      icon: 'chart',
      onPhone: false,
    },
  ],
  [
    {
      to: APP_PATHS.syncs,
      name: SHELL.syncs,
      icon: 'sync',
      onPhone: true,
    },
    {
      to: APP_PATHS.destinations,
      name: SHELL.destinations,
      icon: 'send',
      onPhone: false,
    },
    {
      to: APP_PATHS.categories,
      name: SHELL.categories,
      icon: 'tag',
      onPhone: false,
    },
  ],
  [
    {
      to: APP_PATHS.apiKeys,
      name: SHELL.developer,
      icon: 'code',
      onPhone: false,
    },
  ],
];

/** The links of the account menu, relative to the root of the service. */
const MENU: readonly { readonly to: Path; readonly name: string }[] = [
  { to: '/settings', name: SHELL.settings },
  { to: '/settings/security', name: SHELL.security },
  { to: '/docs/guides', name: SHELL.guides },
  { to: '/docs', name: SHELL.reference },
];

interface Frame {
  /** The path from this page to the root of the service, with a trailing slash: `../`, `/money/`, `./`. */
  readonly root: string;
  /** The entry of the navigation that the page belongs to, if any. */
  readonly here: Path | null;
  /** Includes the `main` landmark, with the id `content`. */
  readonly main: Html;
}

/** The body of a page inside the frame of the web application, for those who are signed in. Works without script. */
export function inShell({ root, here, main }: Frame): Html {
  const at = (path: Path): string => `${root}${path.slice(1)}`;
  const link = ({ to, name, icon }: ShellPlace): Html =>
    html`<a class="place" href="${at(to)}"${to === here ? html` aria-current="true"` : html``}>${stroked(icon)}<span>${name}</span></a>`;
  const behind = [...SHELL_PLACES.flat().filter(({ onPhone }) => !onPhone), SETTINGS];
  const isBehind = behind.some(({ to }) => to === here);
  return html`<a class="skip" href="#content">${SHELL.skip}</a>
<div class="shell">
<header class="bar">${brand(root)}
<details class="menu"><summary>${stroked('person')}<span>${SHELL.account}</span></summary>
<ul>${MENU.map(({ to, name }) => html`<li><a href="${at(to)}">${name}</a></li>`)}
<li><form method="post" action="${at('/sign-out')}"><button>${SHELL.signOut}</button></form></li></ul></details>
</header>
<nav class="navigation" aria-label="${SHELL.navigation}"><ul>${SHELL_PLACES.flatMap((group) =>
    group.map(
      (place, at) =>
        html`<li class="${at === 0 ? 'group' : ''}${place.onPhone ? '' : ' behind'}">${link(place)}</li>`,
    ),
  )}<li class="behind">${link(SETTINGS)}</li>
<li class="more"><details><summary class="place"${isBehind ? html` data-here` : html``}>${stroked('more')}<span>${SHELL.more}</span></summary>
<ul>${behind.map((place) => html`<li>${link(place)}</li>`)}</ul></details></li></ul></nav>
${main}
</div>`;
}

/** Links back to what the page belongs to, for pages that do not have one themselves. */
export function waysOn(ways: readonly (readonly [name: string, address: string])[]): Html {
  return html`<ul class="ways" aria-label="${FRAME.waysOn}">${ways.map(
    ([name, address]) => html`<li><a href="${address}">${name}</a></li>`,
  )}</ul>`;
}

function stroked(icon: IconName): Html {
  return html`<svg width="18" height="18" viewBox="0 0 20 20" fill="none" stroke="currentColor" stroke-width="${icon === 'more' ? '2.4' : '1.6'}" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path d="${ICONS[icon]}"/></svg>`;
}
