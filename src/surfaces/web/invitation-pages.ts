import type { ShownInvitation } from '../../features/sign-in/acceptances.ts';
import type { MemberRole } from '../../vocabulary/member-roles.ts';
import { html } from '../http/html.ts';
import type { PageContent } from '../http/page.ts';
import { chosenPassword, problem } from './chosen-password.ts';

/** What each role comes to, for somebody who is about to have it. */
export const ROLE_TEXTS: Readonly<Record<MemberRole, string>> = {
  owner: 'You may see and change everything, and invite others.',
  reader: 'You may see everything and change nothing.',
};

/** `as`: who is signed in, or null. `passkeys`: where the script asks for one; null where there are none. */
export function invitationPage({
  address,
  passkeys,
  as,
  problem: refused,
  invitation,
  accountEmail,
}: ShownInvitation & {
  readonly address: string;
  readonly passkeys: { readonly script: string; readonly options: string } | null;
  readonly as: string | null;
  readonly problem: string | null;
}): PageContent {
  return {
    title: 'You are invited',
    secretAddress: true,
    ...(passkeys !== null && as === null && { script: passkeys.script }),
    body: html`
${problem(refused)}
<dl>
<dt>Account of</dt><dd>${accountEmail}</dd>
<dt>Invited</dt><dd>${invitation.email}</dd>
<dt>Role</dt><dd>${invitation.role}</dd>
</dl>
<p>${ROLE_TEXTS[invitation.role]}</p>
${
  as === null
    ? html`<form method="post" action="${address}">
<input hidden type="text" name="username" autocomplete="username" value="${invitation.email}">
${chosenPassword('Choose a password')}
<div class="actions"><button class="main">Accept</button></div>
</form>
<h2>Do you sign in here already?</h2>
<form method="post" action="${address}/sign-in">
<label for="known">E-mail address</label>
<input id="known" name="email" type="email" autocomplete="username" required maxlength="254" value="${invitation.email}">
<label for="known-password">Password</label>
<input id="known-password" name="password" type="password" autocomplete="current-password" required maxlength="200">
<div class="actions"><button>Sign in and accept</button></div>
</form>
${
  passkeys === null
    ? html``
    : html`<div hidden data-passkey="get" data-options="${passkeys.options}" data-verify="${address}/passkey">
<div class="actions"><button type="button">Accept with a passkey</button></div>
<p role="status"></p>
</div>`
}`
    : html`<p>You are signed in as ${as}.</p>
<form method="post" action="${address}">
<div class="actions"><button class="main">Accept</button></div>
</form>`
}`,
  };
}
