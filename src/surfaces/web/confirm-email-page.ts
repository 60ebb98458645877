import { type Html, html } from '../http/html.ts';
import type { PageContent } from '../http/page.ts';
import { CONFIRM_EMAIL } from '../text/confirm-email.ts';
import { problem } from './chosen-password.ts';

interface Shown {
  /** The path of this page. */
  readonly page: string;
  readonly settings: string;
  readonly token: string;
  /** The address that the link proves; null where it proves none. */
  readonly proved: string | null;
  /** The one that the person signs in with. */
  readonly email: string;
  readonly problem: string | null;
}

/** Where the link in a mail leads: opening it changes nothing, because programs that look into mails open pages too. */
export function confirmEmailPage(shown: Shown): PageContent {
  return {
    title: CONFIRM_EMAIL.title,
    secretAddress: true,
    body: html`${problem(shown.problem)}
${shown.proved === null ? notProved(shown) : form(shown, shown.proved)}`,
  };
}

function form({ page, token, email }: Shown, proved: string): Html {
  return html`<p>${CONFIRM_EMAIL.text(email, proved)}</p>
<form method="post" action="${page}">
<input type="hidden" name="token" value="${token}">
<div class="actions"><button class="main">${CONFIRM_EMAIL.submit}</button></div>
</form>`;
}

function notProved({ settings, email }: Shown): Html {
  return html`<p>${CONFIRM_EMAIL.notProved(email)}</p>
<div class="actions"><a class="button" href="${settings}">${CONFIRM_EMAIL.again}</a></div>`;
}
