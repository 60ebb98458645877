import { html } from '../http/html.ts';

/** Around the pages of `docs/`. */
export const DOCUMENTATION = {
  navigation: 'Documentation',
  reference: 'API reference',
  guides: 'Guides',
  pageTitle: (title: string) => `${title} - Tributary`,
  untitled: 'Documentation',
} as const;

/** Around the page that shows the description of v2. */
export const API_REFERENCE = {
  title: 'Tributary API',
  needsScript: html`This page needs JavaScript. The description it shows is <a href="v2/openapi.json">v2/openapi.json</a>.`,
  guides: 'Guides',
  errors: 'Errors',
  description: 'OpenAPI description',
  failed: 'The description could not be loaded: ',
} as const;
