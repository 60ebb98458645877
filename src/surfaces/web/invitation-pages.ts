import type { ShownInvitation } from '../../features/sign-in/acceptances.ts';
import { html } from '../http/html.ts';
import type { PageContent } from '../http/page.ts';
import { INVITATION } from '../text/invitations.ts';
import { chosenPassword, problem } from './chosen-password.ts';

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
    title: INVITATION.title,
    secretAddress: true,
    ...(passkeys !== null && as === null && { script: passkeys.script }),
    body: html`
${problem(refused)}
<dl>
<dt>${INVITATION.accountOf}</dt><dd>${accountEmail}</dd>
<dt>${INVITATION.invited}</dt><dd>${invitation.email}</dd>
<dt>${INVITATION.role}</dt><dd>${invitation.role}</dd>
</dl>
<p>${INVITATION.roles[invitation.role]}</p>
${
  as === null
    ? html`<form method="post" action="${address}">
<input hidden type="text" name="username" autocomplete="username" value="${invitation.email}">
${chosenPassword(INVITATION.password)}
<div class="actions"><button class="main">${INVITATION.accept}</button></div>
</form>
<h2>${INVITATION.known.title}</h2>
<form method="post" action="${address}/sign-in">
<label for="known">${INVITATION.known.email}</label>
<input id="known" name="email" type="email" autocomplete="username" required maxlength="254" value="${invitation.email}">
<label for="known-password">${INVITATION.known.password}</label>
<input id="known-password" name="password" type="password" autocomplete="current-password" required maxlength="200">
<div class="actions"><button>${INVITATION.known.submit}</button></div>
</form>
${
  passkeys === null
    ? html``
    : html`<div hidden data-passkey="get" data-options="${passkeys.options}" data-verify="${address}/passkey">
<div class="actions"><button type="button">${INVITATION.known.passkey}</button></div>
<p role="status"></p>
</div>`
}`
    : html`<p>${INVITATION.signedIn(as)}</p>
<form method="post" action="${address}">
<div class="actions"><button class="main">${INVITATION.accept}</button></div>
</form>`
}`,
  };
}
