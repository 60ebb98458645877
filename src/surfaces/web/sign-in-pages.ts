import { html } from '../http/html.ts';
import type { PageContent } from '../http/page.ts';

/** What the sign-in page says on top of its form. */
export type SignInNotice = 'refused' | 'no_membership' | 'elsewhere' | 'signed_out' | 'fresh' | 'reset';

const NOTICES: Readonly<Record<SignInNotice, string>> = {
  refused: 'The e-mail address or the password is wrong.',
  no_membership: 'You are no member of any account record. Ask its owner for an invitation.',
  elsewhere: 'That form was sent by another site, so nothing was done. Sign in here.',
  signed_out: 'You have signed out.',
  reset:
    'The password is set, your passkeys are removed and your apps are disconnected. Sign in with the new password.',
  fresh: 'For this step, please confirm who you are by signing in once more.',
};

/** Notices that tell of nothing wrong. */
const CALM: ReadonlySet<SignInNotice> = new Set(['signed_out', 'reset']);

/** Those that the address of the page may name. */
export function isAddressNotice(text: string | null): text is 'signed_out' | 'fresh' | 'reset' {
  return text === 'signed_out' || text === 'fresh' || text === 'reset';
}

/** The paths of the pages that this one leads to. `script` is null where there are no passkeys. */
export interface SignInPaths {
  readonly signIn: string;
  readonly forgot: string;
  readonly script: string | null;
}

export function signInPage(
  at: SignInPaths,
  shown: { readonly next: string; readonly email?: string; readonly notice?: SignInNotice | undefined },
): PageContent {
  const { next, email = '', notice } = shown;
  return {
    title: 'Sign in',
    ...(at.script !== null && { script: at.script }),
    body: html`
${notice === undefined ? html`` : html`<p role="${CALM.has(notice) ? 'status' : 'alert'}">${NOTICES[notice]}</p>`}
<form method="post" action="${at.signIn}">
<input type="hidden" name="next" value="${next}">
<label for="email">E-mail address</label>
<input id="email" name="email" type="email" autocomplete="username" required maxlength="254" value="${email}">
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required maxlength="200">
<div class="actions"><button class="main">Sign in</button></div>
</form>
<div hidden data-passkey="get" data-options="${at.signIn}/passkey/options" data-verify="${at.signIn}/passkey" data-next="${next}">
<div class="actions"><button type="button">Sign in with a passkey</button></div>
<p role="status"></p>
</div>
<p><a href="${at.forgot}">Forgot your password?</a></p>`,
  };
}

/** For a person who is signed in and came to sign out by a link. */
export function signOutPage(address: string): PageContent {
  return {
    title: 'Sign out',
    body: html`
<form method="post" action="${address}">
<div class="actions"><button class="main">Sign out</button></div>
</form>`,
  };
}
