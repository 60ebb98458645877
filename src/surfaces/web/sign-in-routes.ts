import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isFromElsewhere } from '../http/form-origin.ts';
import { sendOn, sendPage } from '../http/page.ts';
import { searchOf } from '../http/request-url.ts';
import { forgetIn, rememberIn } from './cookies.ts';
import { field } from './form.ts';
import { localPath } from './local-path.ts';
import { isAddressNotice, signInPage, signOutPage } from './sign-in-pages.ts';
import { visitOf } from './visit.ts';
import { pathOf, type WebOptions } from './web-options.ts';

const STATUSES = { refused: 401, no_membership: 403 } as const;

/** `/sign-in?next=…`, which signs a person in and sends them on, and `/sign-out`. */
export function registerSignIn(scope: FastifyInstance, options: WebOptions): void {
  const { appUrl, signIn, webSessions, passkeys } = options;
  const at = {
    signIn: pathOf(appUrl, '/sign-in'),
    forgot: pathOf(appUrl, '/forgot-password'),
    script: passkeys.offered ? pathOf(appUrl, '/sign-in/passkeys.js') : null,
  };
  const home = pathOf(appUrl, '/settings/security');
  const next = (text: string | null): string => localPath(text) ?? home;

  scope.get('/sign-in', async (request, reply) => {
    // In full: half of an address would lead somewhere else.
    const sent = new URLSearchParams(searchOf(request));
    const named = sent.get('notice');
    const notice = isAddressNotice(named) ? named : undefined;
    return sendPage(reply, 200, signInPage(at, { next: next(sent.get('next')), notice }));
  });

  scope.post('/sign-in', async (request, reply) => {
    const shown = { next: next(field(request, 'next')), email: field(request, 'email') };
    // A site that signed a person in unnoticed, as somebody else, would see what the person then enters.
    if (isFromElsewhere(request.headers, appUrl)) {
      return sendPage(reply, 403, signInPage(at, { next: home, notice: 'elsewhere' }));
    }
    const signed = await signIn.withPassword(
      { email: shown.email, password: field(request, 'password') },
      visitOf(request),
    );
    if (typeof signed === 'string') {
      return sendPage(reply, STATUSES[signed], signInPage(at, { ...shown, notice: signed }));
    }
    rememberIn(reply, signed, options);
    return sendOn(reply, shown.next);
  });

  scope.get('/sign-out', async (_request, reply) =>
    sendPage(reply, 200, signOutPage(pathOf(appUrl, '/sign-out'))),
  );

  scope.post('/sign-out', async (request: FastifyRequest, reply) => {
    if (isFromElsewhere(request.headers, appUrl)) return sendOn(reply, pathOf(appUrl, '/sign-out'));
    const found = await webSessions.find(request.headers.cookie);
    if (found !== null) await webSessions.end(found.caller.user, [found.session]);
    forgetIn(reply, options);
    return sendOn(reply, `${at.signIn}?notice=signed_out`);
  });
}
