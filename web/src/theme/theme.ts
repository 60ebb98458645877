import { createTheme } from '@mantine/core';

/**
 * What components take from the theme when they are made. Colours, type and radii are in tokens.css: the content
 * security policy allows no style inside the page, so variables come from a file.
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
