import { FRAME } from '../text/frame.ts';
import { type Html, html } from './html.ts';

const MARK = html`<svg viewBox="0 0 32 32" width="22" height="22" aria-hidden="true"><rect width="32" height="32" rx="8" fill="#17633a"/><path d="M8 8c0 7 8 6 8 13v4M24 8c0 7-8 6-8 13M16 7v8" fill="none" stroke="#fff" stroke-width="2.6" stroke-linecap="round"/></svg>`;

/** The mark and the name, and the way home where the page knows one. */
export function brand(home: string | null): Html {
  return home === null
    ? html`<span class="brand">${MARK} ${FRAME.product}</span>`
    : html`<a class="brand" href="${home}">${MARK} ${FRAME.product}</a>`;
}

export const BRAND_STYLE = `
.brand { display: inline-flex; align-items: center; gap: .5rem; min-height: 2.25rem; color: var(--text); font-size: .9375rem; font-weight: 650;
  letter-spacing: -.01em; text-decoration: none; }
`;
