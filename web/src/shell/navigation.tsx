import { VisuallyHidden } from '@mantine/core';
import { Link, useLocation } from '@tanstack/react-router';
import { APP_PATHS } from '../../../src/vocabulary/page-paths.ts';
import { appUrl } from '../api/app-url.ts';
import { useAttention } from '../api/use-attention.ts';
import { Icon } from '../parts/icon.tsx';
import { SHELL } from '../text/shell.ts';
import { MoreMenu, useLaterButton } from './later-menus.tsx';
import { PLACES, type Place, placeAt } from './places.ts';
import classes from './shell.module.css';

/** Beside the page if there is room; on a phone below it, within reach of a thumb. */
export function Navigation() {
  const { pathname } = useLocation();
  const here = placeAt(pathname);
  return (
    <nav className={classes.navigation} aria-label={SHELL.navigation}>
      <ul className={classes.places}>
        {PLACES.flatMap((group) =>
          group.map((place, at) => (
            <li
              key={place.to}
              className={`${place.onPhone ? '' : classes.behind} ${at === 0 ? classes.group : ''}`}
            >
              <Link
                to={place.to}
                className={`${classes.place} ${place === here ? classes.here : ''}`}
                aria-current={place === here ? 'page' : undefined}
                activeOptions={{ exact: place.to === APP_PATHS.home, includeSearch: false }}
              >
                <Icon name={place.icon} />
                <span>{place.name}</span>
                {place.to === APP_PATHS.home ? <NeedsYou /> : null}
              </Link>
            </li>
          )),
        )}
        <li className={classes.behind ?? ''}>
          <a className={classes.place} href={appUrl('settings').href}>
            <Icon name="gear" />
            <span>{SHELL.settings}</span>
          </a>
        </li>
        <li className={classes.more}>
          <More here={here} />
        </li>
      </ul>
    </nav>
  );
}

/** How many things need the person, as far as it has been read: the badge asks for nothing itself. */
function NeedsYou() {
  const count = useAttention(false)?.length ?? 0;
  if (count === 0) return null;
  return (
    <span className={classes.badge}>
      <span aria-hidden="true">{count}</span>
      <VisuallyHidden>{SHELL.needsYou(count)}</VisuallyHidden>
    </span>
  );
}

function More({ here }: { readonly here: Place | null }) {
  const isBehind = here !== null && !here.onPhone;
  const button = useLaterButton(
    `${classes.place} ${isBehind ? classes.here : ''}`,
    <>
      <Icon name="more" />
      <span>{SHELL.more}</span>
    </>,
  );
  return <MoreMenu button={button} />;
}
