import { createTheme, localStorageColorSchemeManager, type MantineColorScheme } from '@mantine/core';
import { THEME_COOKIE } from '../../../src/vocabulary/themes.ts';
import { leavePageCookie } from '../api/page-cookie.ts';

/**
 * What components take from the theme. Colours, fonts and radii are in tokens.css, because the content security policy
 * allows no inline styles, so variables come from a file.
 */
export const theme = createTheme({
  primaryColor: 'green',
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Button: { defaultProps: { size: 'sm' } },
    // Without a transition, menus are there at once. The placeholder would be a child that menus must not have.
    // Menus open inside the main landmark, where those who go by landmarks find them.
    Menu: {
      defaultProps: {
        transitionProps: { duration: 0 },
        shadow: 'md',
        withInitialFocusPlaceholder: false,
        portalProps: { target: '#content' },
      },
    },
  },
});

const storage = localStorageColorSchemeManager();

/**
 * Remembers the theme that the person chose, in the storage of the browser for the application, and in a cookie for the
 * pages that the service writes, which run no script that could read the storage.
 */
export const chosenTheme: typeof storage = {
  ...storage,
  get: (otherwise) => {
    const chosen = storage.get(otherwise);
    // For those who chose before there was a cookie, and to have it last as long as the storage does.
    if (chosen !== 'auto') leaveCookie(chosen);
    return chosen;
  },
  set: (chosen) => {
    storage.set(chosen);
    leaveCookie(chosen);
  },
  clear: () => {
    storage.clear();
    leaveCookie('auto');
  },
};

function leaveCookie(chosen: MantineColorScheme): void {
  leavePageCookie(THEME_COOKIE, chosen === 'auto' ? null : chosen);
}
