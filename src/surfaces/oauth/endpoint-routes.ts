import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { authorizationQuery } from '../../features/oauth/authorization-query.ts';
import { OAUTH_PATHS } from '../../features/oauth/oauth-resources.ts';
import { html } from '../http/html.ts';
import { sendOn, sendPage } from '../http/page.ts';
import { searchOf } from '../http/request-url.ts';
import { APP_REFUSALS } from '../text/consent.ts';
import { CROSS_ORIGIN, CROSS_ORIGIN_PREFLIGHT } from './cross-origin.ts';
import type { LibraryCall } from './library-call.ts';
import type { RunningOAuth } from './oauth-surface-options.ts';
import { signedIn, signInAddress } from './signed-in.ts';

/** Longer than any client sends, and short enough to pass through the sign-in page. */
const MOST_QUERY_CHARACTERS = 3_500;

/** The endpoints that the library handles. It reads their bodies itself. */
export function registerEndpoints(scope: FastifyInstance, options: RunningOAuth, call: LibraryCall): void {
  scope.addContentTypeParser('*', (_request, _payload, done) => done(null));

  scope.get(OAUTH_PATHS.authorize, { config: { oauth: 'authorize' } }, (request, reply) =>
    authorize(request, reply, options, call),
  );
  scope.get(`${OAUTH_PATHS.authorize}/:request`, { config: { oauth: 'resume' } }, async (request, reply) => {
    const person = await signedIn(request, options);
    if (person === null) return toSignIn(request, reply, options);
    return call(request, reply, person.caller.user);
  });
  scope.post(OAUTH_PATHS.register, { config: { oauth: 'register' } }, async (request, reply) => {
    await options.oauth.clients.admit(request.ip);
    for (const [name, value] of Object.entries(CROSS_ORIGIN)) reply.raw.setHeader(name, value);
    return call(request, reply, null);
  });
  scope.options(OAUTH_PATHS.register, { config: { oauth: 'register' } }, (_request, reply) =>
    reply.code(204).headers(CROSS_ORIGIN_PREFLIGHT).send(),
  );
  for (const [path, oauth] of [
    [OAUTH_PATHS.token, 'token'],
    [OAUTH_PATHS.revoke, 'revoke'],
  ] as const) {
    scope.post(path, { config: { oauth } }, (request, reply) => call(request, reply, null));
    scope.options(path, { config: { oauth } }, (request, reply) => call(request, reply, null));
  }
}

/** Only a signed-in person can open a request, so that strangers cannot store anything. */
async function authorize(
  request: FastifyRequest,
  reply: FastifyReply,
  options: RunningOAuth,
  call: LibraryCall,
): Promise<FastifyReply> {
  const search = searchOf(request);
  if (search.length > MOST_QUERY_CHARACTERS) return refuse(reply, 414, APP_REFUSALS.addressTooLong);
  const sent = new URLSearchParams(search);
  if (sent.getAll('response_mode').some((mode) => mode !== 'query')) {
    return refuse(reply, 400, APP_REFUSALS.responseMode);
  }
  const query = authorizationQuery(sent, options.oauth.resources);
  const person = await signedIn(request, options);
  if (person === null) return toSignIn(request, reply, options);
  request.raw.url = `${OAUTH_PATHS.authorize}?${query}`;
  return call(request, reply, person.caller.user);
}

function toSignIn(
  request: FastifyRequest,
  reply: FastifyReply,
  { addresses: { appUrl } }: RunningOAuth,
): FastifyReply {
  return sendOn(reply, signInAddress(appUrl, request.raw.url ?? '/'));
}

function refuse(reply: FastifyReply, status: number, message: string): FastifyReply {
  return sendPage(reply, status, {
    title: APP_REFUSALS.title,
    secretAddress: true,
    body: html`<p>${message} ${APP_REFUSALS.startOver}</p>`,
  });
}
