import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import {
  isAuthenticationResponse,
  isRegistrationResponse,
} from '../../features/sign-in/passkey-ceremonies.ts';
import type { SignedIn } from '../../features/sign-in/session-authenticator.ts';
import { parsePublicId } from '../../vocabulary/ids.ts';
import { FIXED_LIMITS } from '../../vocabulary/limits.ts';
import { SECRET_PATHS } from '../../vocabulary/page-paths.ts';
import { invalidParameter, ServiceError } from '../../vocabulary/service-error.ts';
import { type CachedBody, etagOf, sendCached } from '../http/cached-body.ts';
import { isFromOwnPage } from '../http/form-origin.ts';
import { operationOf } from '../http/outside.ts';
import { partOf } from '../http/request-url.ts';
import { asServiceError } from '../http/service-errors.ts';
import { PASSKEY_PROBLEMS, SIGN_IN } from '../text/sign-in.ts';
import { rememberIn, visitOf } from './browser-session.ts';
import { localPath } from './local-path.ts';
import { audited, isFresh } from './signed-in.ts';
import { joinedPath, pathOf, type WebOptions } from './web-options.ts';

/**
 * What the browser does for a passkey: it requests options, passes them to the authenticator and sends back the
 * response. If the browser has no passkeys, the buttons stay hidden.
 */
const PASSKEY_SCRIPT = `'use strict';
for (const part of document.querySelectorAll('[data-passkey]')) {
  const { passkey: verb, options, verify } = part.dataset;
  const parse = verb === 'create' ? 'parseCreationOptionsFromJSON' : 'parseRequestOptionsFromJSON';
  if (typeof window.PublicKeyCredential?.[parse] !== 'function') continue;
  part.hidden = false;
  const message = part.querySelector('[role=status]');
  const ask = async (address, body) => {
    const response = await fetch(address, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const answer = await response.json();
    if (!response.ok) throw new Error(answer.error.message);
    return answer;
  };
  part.querySelector('button').addEventListener('click', async () => {
    message.textContent = '';
    try {
      const publicKey = PublicKeyCredential[parse](await ask(options, {}));
      const credential = await navigator.credentials[verb]({ publicKey });
      const name = part.querySelector('input')?.value ?? '';
      const { next, record } = part.dataset;
      const { location } = await ask(verify, { credential: credential.toJSON(), name, next, record });
      window.location.assign(location);
    } catch (error) {
      message.textContent = error.name === 'NotAllowedError' ? ${JSON.stringify(PASSKEY_PROBLEMS.nothingDone)} : error.message;
    }
  });
}
`;

const SCRIPT: CachedBody = {
  etag: etagOf(PASSKEY_SCRIPT),
  type: 'text/javascript; charset=utf-8',
  body: PASSKEY_SCRIPT,
};
const RETRY_SECONDS = 5;
const Sent = Type.Object({
  credential: Type.Unknown(),
  name: Type.Optional(Type.String({ maxLength: FIXED_LIMITS.name_characters, pattern: '^[^\\p{Cc}]*$' })),
  next: Type.Optional(Type.String()),
  record: Type.Optional(Type.String()),
});

/** The requests of that script: signing in with a passkey, and registering one. */
export function registerPasskeys(scope: FastifyInstance, options: WebOptions): void {
  const { acceptances, appUrl, passkeys } = options;
  const home = pathOf(appUrl, '/settings/security');
  scope.setErrorHandler((thrown, request, reply) => answerScriptError(thrown, request, reply, options));
  scope.addHook('preHandler', async ({ method, headers }) => {
    if (method !== 'POST' || isFromOwnPage(headers, appUrl)) return;
    throw new ServiceError('insufficient_scope', { message: PASSKEY_PROBLEMS.otherSite });
  });

  scope.get('/sign-in/passkeys.js', (request, reply) => {
    reply.header('x-content-type-options', 'nosniff');
    return sendCached(request, reply, SCRIPT);
  });

  scope.post('/sign-in/passkey/options', async (request) => passkeys.signInOptions(visitOf(request)));

  scope.post('/sign-in/passkey', async (request, reply) => {
    const { credential, next, record = '' } = sentIn(request);
    if (!isAuthenticationResponse(credential)) throw unreadable();
    const signed = await passkeys.signIn(
      credential,
      visitOf(request),
      parsePublicId('account_record', record),
    );
    if (typeof signed === 'string') {
      const message = signed === 'refused' ? PASSKEY_PROBLEMS.unknown : SIGN_IN.notices[signed];
      return reply.code(401).send({ error: { code: 'api_key_missing', message } });
    }
    rememberIn(reply, signed, options);
    return { location: localPath(next ?? null) ?? home };
  });

  scope.post(`${SECRET_PATHS.invitation}/:token/passkey`, async (request, reply) => {
    const { credential } = sentIn(request);
    if (!isAuthenticationResponse(credential)) throw unreadable();
    const signed = await acceptances.withPasskey(partOf(request, 'token'), credential, visitOf(request));
    if (signed === 'refused') {
      return reply.code(401).send({ error: { code: 'api_key_missing', message: PASSKEY_PROBLEMS.unknown } });
    }
    rememberIn(reply, signed, options);
    return { location: joinedPath(options) };
  });

  scope.post('/settings/security/passkeys/options', async (request) => {
    const { caller } = await freshIn(request, options);
    return passkeys.registrationOptions(caller.user);
  });

  scope.post('/settings/security/passkeys', async (request) => {
    const signedIn = await freshIn(request, options);
    const { credential, name = '' } = sentIn(request);
    if (!isRegistrationResponse(credential)) throw unreadable();
    await audited(options, signedIn, request, { kind: 'passkey.added' }, () =>
      passkeys.register(signedIn.caller.user, name, credential, visitOf(request)),
    );
    return { location: `${home}?done=passkey_added` };
  });
}

/** Raises `api_key_missing` if no one is signed in, or the sign-in was too long ago. */
async function freshIn({ headers }: FastifyRequest, options: WebOptions): Promise<SignedIn> {
  const signedIn = await options.webSessions.find(headers.cookie);
  if (signedIn !== null && isFresh(signedIn, options)) return signedIn;
  throw new ServiceError('api_key_missing', { message: PASSKEY_PROBLEMS.fresh });
}

function sentIn({ body }: FastifyRequest): {
  credential: unknown;
  name?: string;
  next?: string;
  record?: string;
} {
  if (Value.Check(Sent, body)) return body;
  throw unreadable();
}

function unreadable(): ServiceError {
  return invalidParameter('passkey', PASSKEY_PROBLEMS.unreadable);
}

/** Answers a script of a page with what its request raised. */
export function answerScriptError(
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  { failures }: Pick<WebOptions, 'failures'>,
): FastifyReply {
  const error = asServiceError(thrown);
  failures.note(error, request, operationOf(request));
  const { code, message, status, retryAfterSeconds } = error;
  if (status === 429 || status === 503) {
    reply.header('retry-after', String(Math.ceil(retryAfterSeconds ?? RETRY_SECONDS)));
  }
  return reply.code(status).header('cache-control', 'no-store').send({ error: { code, message } });
}
