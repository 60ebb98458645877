import './theme/mantine.ts';
import './theme/tokens.css';
import './theme/base.css';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queries } from './api/queries.ts';
import { router } from './router.ts';
import { chosenTheme, theme } from './theme/theme.ts';

const place = document.getElementById('app');
if (place === null) throw new Error('the page has no place for the application');

reloadRestoredPages();
createRoot(place).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      colorSchemeManager={chosenTheme}
      defaultColorScheme="auto"
      withCssVariables={false}
      withGlobalClasses={false}
    >
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);

/**
 * Reloads a page that the browser restores from its back/forward cache: its buttons would still be waiting for the page
 * that was left for, and after signing out it would show the previous person's figures.
 */
function reloadRestoredPages(): void {
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) location.reload();
  });
}
