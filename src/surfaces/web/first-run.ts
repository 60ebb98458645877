import type { FastifyInstance } from 'fastify';
import { SECRET_PATHS } from '../../vocabulary/page-paths.ts';
import { isFromElsewhere } from '../http/form-origin.ts';
import { html } from '../http/html.ts';
import { type PageContent, sendOn, sendPage } from '../http/page.ts';
import { partOf } from '../http/request-url.ts';
import { FIRST_RUN } from '../text/sign-in.ts';
import { rememberIn, visitOf } from './browser-session.ts';
import { field, refusedInput } from './form.ts';
import { chosenPassword, problem } from './page-parts.ts';
import { pathOf, type WebOptions } from './web-options.ts';

/** `/first-run/<token>`, where the first person of an installation chooses how to sign in. */
export function registerFirstRun(scope: FastifyInstance, options: WebOptions): void {
  const { appUrl, firstRun, hasApp } = options;
  const addressOf = (token: string): string => pathOf(appUrl, `${SECRET_PATHS.firstRun}/${token}`);

  scope.get(`${SECRET_PATHS.firstRun}/:token`, async (request, reply) => {
    const token = partOf(request, 'token');
    await firstRun.find(token);
    return sendPage(reply, 200, firstRunPage(addressOf(token), { email: '', problem: null }));
  });

  scope.post(`${SECRET_PATHS.firstRun}/:token`, async (request, reply) => {
    const token = partOf(request, 'token');
    if (isFromElsewhere(request.headers, appUrl)) return sendOn(reply, addressOf(token));
    const email = field(request, 'email');
    const refused = await refusedInput(async () => {
      const chosen = { email, password: field(request, 'password') };
      rememberIn(reply, await firstRun.complete(token, chosen, visitOf(request)), options);
    });
    if (refused === null) return sendOn(reply, pathOf(appUrl, hasApp ? '/welcome' : '/settings/security'));
    return sendPage(reply, 400, firstRunPage(addressOf(token), { email, problem: refused }));
  });
}

function firstRunPage(
  address: string,
  shown: { readonly email: string; readonly problem: string | null },
): PageContent {
  return {
    title: FIRST_RUN.title,
    secretAddress: true,
    body: html`
${problem(shown.problem)}
<p>${FIRST_RUN.text}</p>
<form method="post" action="${address}">
<label for="email">${FIRST_RUN.email}</label>
<input id="email" name="email" type="email" autocomplete="username" required maxlength="254" value="${shown.email}">
${chosenPassword(FIRST_RUN.password)}
<div class="actions"><button class="main">${FIRST_RUN.submit}</button></div>
</form>`,
  };
}
