import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { SignInRefusal } from '../../features/sign-in/sign-in.ts';
import { parsePublicId, publicId } from '../../vocabulary/ids.ts';
import { SHOWN_RECORD_FIELD } from '../../vocabulary/shown-record.ts';
import { isFromElsewhere } from '../http/form-origin.ts';
import { sendOn, sendPage } from '../http/page.ts';
import { searchOf } from '../http/request-url.ts';
import { forgetIn, rememberIn, visitOf } from './browser-session.ts';
import { field } from './form.ts';
import { localPath } from './local-path.ts';
import { codePage, isAddressNotice, signInPage, signOutPage } from './sign-in-pages.ts';
import { audited } from './signed-in.ts';
import { joinedPath, pathOf, type WebOptions } from './web-options.ts';

const STATUSES = { refused: 401, no_membership: 403, not_member: 403 } as const;

/** `/sign-in?next=…`, which signs a person in and sends them on, and `/sign-out`. */
export function registerSignIn(scope: FastifyInstance, options: WebOptions): void {
  const { acceptances, appUrl, signIn, webSessions, passkeys } = options;
  const at = {
    signIn: pathOf(appUrl, '/sign-in'),
    forgot: pathOf(appUrl, '/forgot-password'),
    script: passkeys.offered ? pathOf(appUrl, '/sign-in/passkeys.js') : null,
  };
  const code = pathOf(appUrl, '/sign-in/code');
  const home = pathOf(appUrl, '/settings/security');
  const next = (text: string | null): string => localPath(text) ?? home;
  // What was to be done with an account record must not be done with another.
  const refuse = (
    reply: FastifyReply,
    notice: SignInRefusal,
    shown: { readonly next: string; readonly email?: string; readonly record: string },
  ) =>
    sendPage(
      reply,
      STATUSES[notice],
      signInPage(at, notice === 'not_member' ? { next: home, notice } : { ...shown, notice }),
    );

  scope.get('/sign-in', async (request, reply) => {
    // Complete, because a truncated address would lead elsewhere.
    const sent = new URLSearchParams(searchOf(request));
    const named = sent.get('notice');
    const notice = isAddressNotice(named) ? named : undefined;
    const record = sent.get(SHOWN_RECORD_FIELD) ?? '';
    return sendPage(reply, 200, signInPage(at, { next: next(sent.get('next')), record, notice }));
  });

  scope.post('/sign-in', async (request, reply) => {
    const shown = {
      next: next(field(request, 'next')),
      email: field(request, 'email'),
      record: field(request, SHOWN_RECORD_FIELD),
    };
    // A site that secretly signed a person in as someone else would see what the person then enters.
    if (isFromElsewhere(request.headers, appUrl)) {
      return sendPage(reply, 403, signInPage(at, { next: home, notice: 'elsewhere' }));
    }
    const signed = await signIn.withPassword(
      { email: shown.email, password: field(request, 'password') },
      visitOf(request),
      parsePublicId('account_record', shown.record),
    );
    if (typeof signed === 'string') return refuse(reply, signed, shown);
    if ('step' in signed) return sendPage(reply, 200, codePage(code, { ...shown, ...signed }));
    rememberIn(reply, signed, options);
    return sendOn(reply, shown.next);
  });

  scope.post('/sign-in/code', async (request, reply) => {
    if (isFromElsewhere(request.headers, appUrl)) {
      return sendPage(reply, 403, signInPage(at, { next: home, notice: 'elsewhere' }));
    }
    const shown = {
      next: next(field(request, 'next')),
      step: field(request, 'step'),
      record: field(request, SHOWN_RECORD_FIELD),
    };
    const visit = visitOf(request);
    const proved = await signIn.withCode(shown.step, field(request, 'code'), visit);
    if (proved === null) {
      return sendPage(reply, 401, signInPage(at, { ...shown, notice: 'step_over' }));
    }
    if (proved === 'wrong_code') return sendPage(reply, 401, codePage(code, { ...shown, wrong: true }));
    const { user, invitation, how } = proved;
    const signed =
      invitation === null
        ? await signIn.as(user, visit, how, parsePublicId('account_record', shown.record))
        : await acceptances.asKnown(invitation, user, visit, how);
    if (typeof signed === 'string') return refuse(reply, signed, shown);
    rememberIn(reply, signed, options);
    return sendOn(reply, invitation === null ? shown.next : joinedPath(options));
  });

  scope.get('/sign-out', async (_request, reply) =>
    sendPage(reply, 200, signOutPage(pathOf(appUrl, '/sign-out'))),
  );

  scope.post('/sign-out', async (request: FastifyRequest, reply) => {
    if (isFromElsewhere(request.headers, appUrl)) return sendOn(reply, pathOf(appUrl, '/sign-out'));
    const found = await webSessions.find(request.headers.cookie);
    if (found !== null) {
      const event = { kind: 'session.ended', target: publicId('web_session', found.session) } as const;
      await audited(options, found, request, event, () =>
        webSessions.end(found.caller.user, [found.session]),
      );
    }
    await webSessions.endFormer(request.headers.cookie);
    forgetIn(reply, options);
    return sendOn(reply, `${at.signIn}?notice=signed_out`);
  });
}
