import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { CodeNeeded, NewlySignedIn } from '../../features/sign-in/sign-in.ts';
import { SECRET_PATHS } from '../../vocabulary/page-paths.ts';
import { isFromElsewhere } from '../http/form-origin.ts';
import { sendOn, sendPage } from '../http/page.ts';
import { SIGN_IN } from '../text/sign-in.ts';
import { rememberIn } from './cookies.ts';
import { field } from './form.ts';
import { isFresh } from './fresh.ts';
import { invitationPage } from './invitation-pages.ts';
import { refusedInput } from './refused-input.ts';
import { codePage } from './sign-in-pages.ts';
import { partOf } from './token.ts';
import { visitOf } from './visit.ts';
import { pathOf, type WebOptions } from './web-options.ts';

/** `/invitations/<token>`: accepted by somebody who is signed in, who signs in here already, or who is new. */
export function registerInvitations(scope: FastifyInstance, options: WebOptions): void {
  const { appUrl, acceptances, members, passkeys, webSessions } = options;
  const addressOf = (token: string): string => pathOf(appUrl, `${SECRET_PATHS.invitation}/${token}`);
  const passkeyPaths = passkeys.offered
    ? { script: pathOf(appUrl, '/sign-in/passkeys.js'), options: pathOf(appUrl, '/sign-in/passkey/options') }
    : null;
  const code = pathOf(appUrl, '/sign-in/code');
  const home = pathOf(appUrl, '/settings/security');
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
    // It outlasts the session, which works with another account record from then on.
    if (signedIn !== null && !isFresh(signedIn, options)) {
      const next = encodeURIComponent(addressOf(token));
      return sendOn(reply, `${pathOf(appUrl, '/sign-in')}?next=${next}&notice=fresh`);
    }
    const refused = await refusedInput(async () => {
      // A form that was shown to somebody signed in has no password, and must not make a second person of them.
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
