import { html } from '../http/html.ts';
import type { PageContent } from '../http/page.ts';
import { FORGOTTEN_PASSWORD, NEW_PASSWORD } from '../text/passwords.ts';
import { chosenPassword, problem } from './chosen-password.ts';

const BY_OPERATOR = html`<p>${FORGOTTEN_PASSWORD.byOperator}</p>`;

/** `mailed`: whether this service sends mail. */
export function forgotPage(address: string, mailed: boolean): PageContent {
  const form = html`
<p>${FORGOTTEN_PASSWORD.text}</p>
<form method="post" action="${address}">
<label for="email">${FORGOTTEN_PASSWORD.email}</label>
<input id="email" name="email" type="email" autocomplete="username" required maxlength="254">
<div class="actions"><button class="main">${FORGOTTEN_PASSWORD.submit}</button></div>
</form>`;
  return { title: FORGOTTEN_PASSWORD.title, secretAddress: false, body: mailed ? form : BY_OPERATOR };
}

/** The same whether there is such a person or not. */
export function askedPage(signIn: string, mailed: boolean): PageContent {
  return {
    title: FORGOTTEN_PASSWORD.asked.title,
    secretAddress: false,
    body: html`
${mailed ? html`<p role="status">${FORGOTTEN_PASSWORD.asked.text}</p>` : BY_OPERATOR}
<p><a href="${signIn}">${FORGOTTEN_PASSWORD.asked.back}</a></p>`,
  };
}

export function resetPage(
  address: string,
  shown: { readonly email: string; readonly problem: string | null },
): PageContent {
  return {
    title: NEW_PASSWORD.title,
    secretAddress: true,
    body: html`
${problem(shown.problem)}
<p>${NEW_PASSWORD.text(shown.email)}</p>
<form method="post" action="${address}">
<input hidden type="text" name="username" autocomplete="username" value="${shown.email}">
${chosenPassword(NEW_PASSWORD.password)}
<div class="actions"><button class="main">${NEW_PASSWORD.submit}</button></div>
</form>`,
  };
}
