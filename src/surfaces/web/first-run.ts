import type { FastifyInstance } from 'fastify';
import { SECRET_PATHS } from '../../vocabulary/page-paths.ts';
import { type CachedBody, etagOf, sendCached } from '../http/cached-body.ts';
import { isFromElsewhere } from '../http/form-origin.ts';
import { html } from '../http/html.ts';
import { type PageContent, sendOn, sendPage } from '../http/page.ts';
import { partOf } from '../http/request-url.ts';
import { FIRST_RUN } from '../text/sign-in.ts';
import { rememberIn, visitOf } from './browser-session.ts';
import { field, refusedInput } from './form.ts';
import { chosenPassword, problem, zoneOptions } from './page-parts.ts';
import { pathOf, type WebOptions } from './web-options.ts';

/** Chooses the zone of the browser, which is more often the person's than that of the server is. */
const ZONE_SCRIPT = `'use strict';
const zones = document.getElementById('timezone');
const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
if ([...zones.options].some(({ value }) => value === timeZone)) zones.value = timeZone;
`;
const SCRIPT: CachedBody = {
  etag: etagOf(ZONE_SCRIPT),
  type: 'text/javascript; charset=utf-8',
  body: ZONE_SCRIPT,
};
const SCRIPT_PATH = '/sign-in/zone.js';

/** `/first-run/<token>`, where the first person of an installation chooses how to sign in. */
export function registerFirstRun(scope: FastifyInstance, options: WebOptions): void {
  const { appUrl, firstRun, hasApp } = options;
  const addressOf = (token: string): string => pathOf(appUrl, `${SECRET_PATHS.firstRun}/${token}`);

  const script = pathOf(appUrl, SCRIPT_PATH);

  scope.get(SCRIPT_PATH, (request, reply) => {
    reply.header('x-content-type-options', 'nosniff');
    return sendCached(request, reply, SCRIPT);
  });

  scope.get(`${SECRET_PATHS.firstRun}/:token`, async (request, reply) => {
    const token = partOf(request, 'token');
    await firstRun.find(token);
    const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
    const page = firstRunPage(addressOf(token), { email: '', timezone: timeZone, problem: null });
    return sendPage(reply, 200, { ...page, script });
  });

  scope.post(`${SECRET_PATHS.firstRun}/:token`, async (request, reply) => {
    const token = partOf(request, 'token');
    if (isFromElsewhere(request.headers, appUrl)) return sendOn(reply, addressOf(token));
    const email = field(request, 'email');
    const timezone = field(request, 'timezone');
    const refused = await refusedInput(async () => {
      const chosen = { email, password: field(request, 'password'), timezone: timezone || null };
      rememberIn(reply, await firstRun.complete(token, chosen, visitOf(request)), options);
    });
    if (refused === null) return sendOn(reply, pathOf(appUrl, hasApp ? '/welcome' : '/settings/security'));
    return sendPage(reply, 400, firstRunPage(addressOf(token), { email, timezone, problem: refused }));
  });
}

function firstRunPage(
  address: string,
  shown: { readonly email: string; readonly timezone: string; readonly problem: string | null },
): PageContent {
  return {
    title: FIRST_RUN.title,
    secretAddress: true,
    body: html`
${problem(shown.problem)}
<p>${FIRST_RUN.text}</p>
<form method="post" action="${address}">
<label for="email">${FIRST_RUN.email}</label>
<input id="email" name="email" type="email" autocomplete="username" required maxlength="254" value="${shown.email}"${shown.problem === null ? html` autofocus` : ''}>
${chosenPassword(FIRST_RUN.password)}
<label for="timezone">${FIRST_RUN.timezone}</label>
<select id="timezone" name="timezone">${zoneOptions(shown.timezone)}</select>
<div class="actions"><button class="main">${FIRST_RUN.submit}</button></div>
</form>`,
  };
}
