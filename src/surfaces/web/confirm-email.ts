import type { FastifyInstance, FastifyRequest } from 'fastify';
import { SECRET_PATHS } from '../../vocabulary/page-paths.ts';
import { type Html, html } from '../http/html.ts';
import { type PageContent, sendOn } from '../http/page.ts';
import { originOf, queryOf } from '../http/request-url.ts';
import { CONFIRM_EMAIL } from '../text/sign-in.ts';
import { field } from './form.ts';
import { problem } from './page-parts.ts';
import { registerSettingsPage } from './settings-forms.ts';
import { settingsFrame } from './settings-nav.ts';
import { pathOf, type WebOptions } from './web-options.ts';

/** `/settings/confirm-email?token=…`, where the mail to a new address leads. */
export function registerConfirmEmail(scope: FastifyInstance, options: WebOptions): void {
  const { appUrl, emailChanges, members } = options;
  const settings = pathOf(appUrl, '/settings');
  const { takes } = registerSettingsPage(scope, options, {
    path: SECRET_PATHS.emailChange,
    isDone: (_text): _text is never => false,
    content: async (signedIn, page, { problem }, request) => {
      const token = tokenIn(request);
      const [{ email }, proved] = await Promise.all([
        members.person(signedIn.caller.user),
        emailChanges.proved(signedIn, token),
      ]);
      return {
        ...confirmEmailPage({
          page,
          settings,
          token,
          proved,
          email,
          problem: proved === null ? null : problem,
        }),
        ...(await settingsFrame(options, '/settings', signedIn)),
      };
    },
  });

  takes('', false, async (signedIn, request, reply) => {
    await emailChanges.confirm(signedIn, tokenIn(request), originOf(request));
    return sendOn(reply, `${settings}?done=email_changed`);
  });
}

/** In the mailed address, and in the form. */
function tokenIn(request: FastifyRequest): string {
  return queryOf(request).token ?? field(request, 'token');
}

interface Shown {
  /** The path of this page. */
  readonly page: string;
  readonly settings: string;
  readonly token: string;
  /** The address that the link proves; null if it proves none. */
  readonly proved: string | null;
  /** The one that the person signs in with. */
  readonly email: string;
  readonly problem: string | null;
}

/** Where the link in a mail leads. Opening it changes nothing, because mail scanners open pages too. */
function confirmEmailPage(shown: Shown): PageContent {
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
