import type { FastifyInstance } from 'fastify';
import { SECRET_PATHS } from '../../vocabulary/page-paths.ts';
import { isFromElsewhere } from '../http/form-origin.ts';
import { html } from '../http/html.ts';
import { type PageContent, sendOn, sendPage } from '../http/page.ts';
import { partOf } from '../http/request-url.ts';
import { FORGOTTEN_PASSWORD, NEW_PASSWORD } from '../text/sign-in.ts';
import { forgetIn, knowIn, visitOf } from './browser-session.ts';
import { field, refusedInput } from './form.ts';
import { chosenPassword, problem } from './page-parts.ts';
import { pathOf, type WebOptions } from './web-options.ts';

/** `/forgot-password`, and `/reset-password/<token>`, where a link in a mail or from the operator leads. */
export function registerPasswordResets(scope: FastifyInstance, options: WebOptions): void {
  const { appUrl, passwordResets } = options;
  const forgot = pathOf(appUrl, '/forgot-password');
  const addressOf = (token: string): string => pathOf(appUrl, `${SECRET_PATHS.passwordReset}/${token}`);

  scope.get('/forgot-password', async (_request, reply) =>
    sendPage(reply, 200, forgotPage(forgot, passwordResets.mailed)),
  );

  scope.post('/forgot-password', async (request, reply) => {
    if (isFromElsewhere(request.headers, appUrl)) return sendOn(reply, forgot);
    await passwordResets.request(field(request, 'email'), visitOf(request));
    return sendPage(reply, 200, askedPage(pathOf(appUrl, '/sign-in'), passwordResets.mailed));
  });

  scope.get(`${SECRET_PATHS.passwordReset}/:token`, async (request, reply) => {
    const token = partOf(request, 'token');
    const { email } = await passwordResets.find(token);
    return sendPage(reply, 200, resetPage(addressOf(token), { email, problem: null }));
  });

  scope.post(`${SECRET_PATHS.passwordReset}/:token`, async (request, reply) => {
    const token = partOf(request, 'token');
    if (isFromElsewhere(request.headers, appUrl)) return sendOn(reply, addressOf(token));
    const { email } = await passwordResets.find(token);
    const refused = await refusedInput(async () => {
      const device = await passwordResets.complete(token, field(request, 'password'), visitOf(request));
      knowIn(reply, device, options);
    });
    if (refused !== null) {
      return sendPage(reply, 400, resetPage(addressOf(token), { email, problem: refused }));
    }
    forgetIn(reply, options);
    return sendOn(reply, `${pathOf(appUrl, '/sign-in')}?notice=reset`);
  });
}

const BY_OPERATOR = html`<p>${FORGOTTEN_PASSWORD.byOperator}</p>`;

/** `mailed`: whether this service sends mail. */
function forgotPage(address: string, mailed: boolean): PageContent {
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
function askedPage(signIn: string, mailed: boolean): PageContent {
  return {
    title: FORGOTTEN_PASSWORD.asked.title,
    secretAddress: false,
    body: html`
${mailed ? html`<p role="status">${FORGOTTEN_PASSWORD.asked.text}</p>` : BY_OPERATOR}
<p><a href="${signIn}">${FORGOTTEN_PASSWORD.asked.back}</a></p>`,
  };
}

function resetPage(
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
