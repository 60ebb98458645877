import { type Html, html } from '../http/html.ts';
import { OPERATOR } from '../text/operator.ts';
import { pathOf, type WebOptions } from './web-options.ts';

const TABS = [
  { name: OPERATOR.accounts, path: '/settings/operator', sandbox: false },
  { name: OPERATOR.health, path: '/settings/operator/health', sandbox: false },
  { name: OPERATOR.sandbox, path: '/settings/operator/sandbox', sandbox: true },
] as const;

/** The pages of the operator, of which this is one. */
export function operatorTabs(
  { appUrl, operatorTools }: Pick<WebOptions, 'appUrl' | 'operatorTools'>,
  here: (typeof TABS)[number]['path'],
): Html {
  const shown = TABS.filter(({ sandbox }) => !sandbox || operatorTools.sandbox !== null);
  return html`<nav class="tabs" aria-label="${OPERATOR.parts}">${shown.map(
    ({ name, path }) =>
      html`<a href="${pathOf(appUrl, path)}"${path === here ? html` aria-current="page"` : html``}>${name}</a>`,
  )}</nav>`;
}
