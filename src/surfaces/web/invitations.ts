import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ShownInvitation } from '../../features/sign-in/acceptances.ts';
import type { CodeNeeded, NewlySignedIn } from '../../features/sign-in/sign-in.ts';
import { SECRET_PATHS } from '../../vocabulary/page-paths.ts';
import { isFromElsewhere } from '../http/form-origin.ts';
import { html } from '../http/html.ts';
import { type PageContent, sendOn, sendPage } from '../http/page.ts';
import { partOf } from '../http/request-url.ts';
import { signInQuery } from '../http/sign-in-query.ts';
import { recordLabel } from '../text/frame.ts';
import { INVITATION } from '../text/invitations.ts';
import { SIGN_IN } from '../text/sign-in.ts';
import { rememberIn, visitOf } from './browser-session.ts';
import { field, refusedInput } from './form.ts';
import { chosenPassword, problem } from './page-parts.ts';
import { codePage } from './sign-in-pages.ts';
import { isFresh } from './signed-in.ts';
import { joinedPath, pathOf, type WebOptions } from './web-options.ts';

/** `/invitations/<token>`: accepted by a person who is signed in, who signs in here already, or who is new. */
export function registerInvitations(scope: FastifyInstance, options: WebOptions): void {
  const { appUrl, acceptances, members, passkeys, webSessions } = options;
  const addressOf = (token: string): string => pathOf(appUrl, `${SECRET_PATHS.invitation}/${token}`);
  const passkeyPaths = passkeys.offered
    ? { script: pathOf(appUrl, '/sign-in/passkeys.js'), options: pathOf(appUrl, '/sign-in/passkey/options') }
    : null;
  const code = pathOf(appUrl, '/sign-in/code');
  const home = joinedPath(options);
  const pageOf = async (request: FastifyRequest, refused: string | null) => {
    const token = partOf(request, 'token');
    const address = addressOf(token);
    const shown = await acceptances.find(token);
    const signedIn = await webSessions.find(request.headers.cookie);
    const as = signedIn === null ? null : (await members.person(signedIn.caller.user)).email;
    return invitationPage({ address, passkeys: passkeyPaths, as, problem: refused, ...shown });
  };

  scope.get(`${SECRET_PATHS.invitation}/:token`, async (request, reply) =>
    sendPage(reply, 200, await pageOf(request, null)),
  );

  scope.post(`${SECRET_PATHS.invitation}/:token`, async (request, reply) => {
    const token = partOf(request, 'token');
    if (isFromElsewhere(request.headers, appUrl)) return sendOn(reply, addressOf(token));
    const signedIn = await webSessions.find(request.headers.cookie);
    // It outlasts the session, which switches to another account record.
    if (signedIn !== null && !isFresh(signedIn, options)) {
      const record = signedIn.caller.accountRecord.id;
      const query = signInQuery(addressOf(token), { fresh: true, record });
      return sendOn(reply, `${pathOf(appUrl, '/sign-in')}${query}`);
    }
    const refused = await refusedInput(async () => {
      // A form shown to a signed-in person has no password, and must not create a second person.
      if (signedIn !== null) return acceptances.signedIn(token, signedIn, visitOf(request));
      const signed = await acceptances.newcomer(token, field(request, 'password'), visitOf(request));
      rememberIn(reply, signed, options);
    });
    return refused === null ? sendOn(reply, home) : sendPage(reply, 400, await pageOf(request, refused));
  });
  scope.post(`${SECRET_PATHS.invitation}/:token/sign-in`, async (request, reply) => {
    const token = partOf(request, 'token');
    if (isFromElsewhere(request.headers, appUrl)) return sendOn(reply, addressOf(token));
    const credentials = { email: field(request, 'email'), password: field(request, 'password') };
    const outcome: { signed: NewlySignedIn | CodeNeeded | 'refused' } = { signed: 'refused' };
    const refused = await refusedInput(async () => {
      outcome.signed = await acceptances.withPassword(token, credentials, visitOf(request));
    });
    const { signed } = outcome;
    if (refused !== null) return sendPage(reply, 400, await pageOf(request, refused));
    if (signed === 'refused') return sendPage(reply, 401, await pageOf(request, SIGN_IN.notices.refused));
    if ('step' in signed) return sendPage(reply, 200, codePage(code, { ...signed, next: home }));
    rememberIn(reply, signed, options);
    return sendOn(reply, home);
  });
}

/** `as`: who is signed in, or null. `passkeys`: the addresses for the script; null if passkeys are not available. */
function invitationPage({
  address,
  passkeys,
  as,
  problem: refused,
  invitation,
  accountName,
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
<dt>${INVITATION.accountOf}</dt><dd>${recordLabel({ email: accountEmail, name: accountName })}</dd>
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
