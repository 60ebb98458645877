import { html } from '../http/html.ts';
import type { PageContent } from '../http/page.ts';
import { chosenPassword, problem } from './chosen-password.ts';

const BY_OPERATOR = html`<p>This service sends no mail. Ask the person who runs it for a link: they get one with <code>tributary account reset-password --email …</code>.</p>`;

/** `mailed`: whether this service sends mail. */
export function forgotPage(address: string, mailed: boolean): PageContent {
  const form = html`
<p>Enter your e-mail address. If you sign in with it here, a link to set a new password is sent to it.</p>
<form method="post" action="${address}">
<label for="email">E-mail address</label>
<input id="email" name="email" type="email" autocomplete="username" required maxlength="254">
<div class="actions"><button class="main">Send the link</button></div>
</form>`;
  return { title: 'Forgot your password?', body: mailed ? form : BY_OPERATOR };
}

/** The same whether there is such a person or not. */
export function askedPage(signIn: string, mailed: boolean): PageContent {
  return {
    title: 'Look into your mail',
    body: html`
${
  mailed
    ? html`<p role="status">If you sign in with this address here, a link is on its way. It works once, and not for long.</p>`
    : BY_OPERATOR
}
<p><a href="${signIn}">Back to signing in</a></p>`,
  };
}

export function resetPage(
  address: string,
  shown: { readonly email: string; readonly problem: string | null },
): PageContent {
  return {
    title: 'Set a new password',
    secretAddress: true,
    body: html`
${problem(shown.problem)}
<p>For ${shown.email}. You will be signed out everywhere, your passkeys are removed, and the apps you connected are disconnected.</p>
<form method="post" action="${address}">
<input hidden type="text" name="username" autocomplete="username" value="${shown.email}">
${chosenPassword('New password')}
<div class="actions"><button class="main">Set the password</button></div>
</form>`,
  };
}
