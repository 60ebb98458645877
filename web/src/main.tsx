import './theme/mantine.ts';
import './theme/tokens.css';
import './theme/base.css';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { appUrl } from './api/app-url.ts';
import { abandonWrites } from './api/open-writes.ts';
import { queries } from './api/queries.ts';
import { router } from './router.ts';
import { chosenTheme, theme } from './theme/theme.ts';

const place = document.getElementById('app');
if (place === null) throw new Error('the page has no place for the application');

reloadRestoredPages();
answerOffline();
router.subscribe('onBeforeNavigate', ({ pathChanged }) => {
  if (pathChanged) abandonWrites();
});
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

/** Says so in a page of its own when the service cannot be reached (docs/web.md#offline). */
function answerOffline(): void {
  // Browsers have none over plain http, but for this machine.
  if (!('serviceWorker' in navigator)) return;
  const { href } = appUrl('static/service-worker.js');
  // After everything that the first page needs.
  addEventListener('load', () => {
    navigator.serviceWorker
      .register(href, { scope: appUrl('').pathname, updateViaCache: 'none' })
      .catch(() => undefined);
  });
}

/**
 * Reloads a page that the browser restores from its back/forward cache: its buttons would still be waiting for the page
 * that was left for, and after signing out it would show the previous person's figures.
 */
function reloadRestoredPages(): void {
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) location.reload();
  });
}
