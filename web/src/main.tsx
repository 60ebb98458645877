import './theme/mantine.ts';
import './theme/tokens.css';
import './theme/base.css';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queries } from './api/queries.ts';
import { reloadRestoredPages } from './api/restored-page.ts';
import { router } from './routing/router.ts';
import { chosenTheme } from './theme/chosen-theme.ts';
import { theme } from './theme/theme.ts';

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
