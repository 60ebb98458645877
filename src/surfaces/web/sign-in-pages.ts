import { SHOWN_RECORD_FIELD } from '../../vocabulary/shown-record.ts';
import { type Html, html } from '../http/html.ts';
import type { PageContent } from '../http/page.ts';
import { SIGN_IN } from '../text/sign-in.ts';

/** The notices above the form of the sign-in page. */
export type SignInNotice = keyof typeof SIGN_IN.notices;

/** Notices that are not errors. */
const CALM: ReadonlySet<SignInNotice> = new Set(['signed_out', 'reset']);

/** Those that may be named in the address of the page. */
export function isAddressNotice(text: string | null): text is 'signed_out' | 'fresh' | 'reset' {
  return text === 'signed_out' || text === 'fresh' || text === 'reset';
}

/** The paths of the pages to which this one leads. `script` is null if passkeys are not available. */
export interface SignInPaths {
  readonly signIn: string;
  readonly forgot: string;
  readonly script: string | null;
}

/** The account record to sign in to, as the address of the page names it; empty if it names none. */
function recordField(record: string): Html {
  return record === ''
    ? html``
    : html`
<input type="hidden" name="${SHOWN_RECORD_FIELD}" value="${record}">`;
}

export function signInPage(
  at: SignInPaths,
  shown: {
    readonly next: string;
    readonly record?: string;
    readonly email?: string;
    readonly notice?: SignInNotice | undefined;
  },
): PageContent {
  const { next, record = '', email = '', notice } = shown;
  return {
    title: SIGN_IN.title,
    // `next` may be an address with a secret.
    secretAddress: true,
    ...(at.script !== null && { script: at.script }),
    body: html`
${notice === undefined ? html`` : html`<p role="${CALM.has(notice) ? 'status' : 'alert'}">${SIGN_IN.notices[notice]}</p>`}
<form method="post" action="${at.signIn}">
<input type="hidden" name="next" value="${next}">${recordField(record)}
<label for="email">${SIGN_IN.email}</label>
<input id="email" name="email" type="email" autocomplete="username" required maxlength="254" value="${email}">
<label for="password">${SIGN_IN.password}</label>
<input id="password" name="password" type="password" autocomplete="current-password" required maxlength="200">
<div class="actions"><button class="main">${SIGN_IN.submit}</button></div>
</form>
<div hidden data-passkey="get" data-options="${at.signIn}/passkey/options" data-verify="${at.signIn}/passkey" data-next="${next}"${record === '' ? html`` : html` data-record="${record}"`}>
<div class="actions"><button type="button">${SIGN_IN.passkey}</button></div>
<p role="status"></p>
</div>
<p><a href="${at.forgot}">${SIGN_IN.forgot}</a></p>`,
  };
}

/** Asks for a code of the second factor, after the password. */
export function codePage(
  address: string,
  shown: {
    readonly next: string;
    readonly step: string;
    readonly record?: string;
    readonly wrong?: boolean;
  },
): PageContent {
  return {
    title: SIGN_IN.code.title,
    secretAddress: true,
    body: html`
${shown.wrong === true ? html`<p role="alert">${SIGN_IN.code.wrong}</p>` : html``}
<p>${SIGN_IN.code.text}</p>
<form method="post" action="${address}">
<input type="hidden" name="next" value="${shown.next}">
<input type="hidden" name="step" value="${shown.step}">${recordField(shown.record ?? '')}
<label for="code">${SIGN_IN.code.label}</label>
<input id="code" name="code" autocomplete="one-time-code" autocapitalize="none" spellcheck="false" required maxlength="64" autofocus>
<div class="actions"><button class="main">${SIGN_IN.submit}</button></div>
</form>`,
  };
}

/** For a signed-in person who followed a link to sign out. */
export function signOutPage(address: string): PageContent {
  return {
    title: SIGN_IN.signOut,
    secretAddress: false,
    body: html`
<form method="post" action="${address}">
<div class="actions"><button class="main">${SIGN_IN.signOut}</button></div>
</form>`,
  };
}
