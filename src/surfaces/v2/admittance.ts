import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Caller, isFreshSignIn } from '../../features/access/caller.ts';
import { isIdempotencyKey } from '../../operations/answer-once.ts';
import type { Operation } from '../../operations/operation.ts';
import type { UnparsedRequest } from '../../operations/operation-request.ts';
import type { Services } from '../../operations/services.ts';
import { publicId } from '../../vocabulary/ids.ts';
import { ServiceError } from '../../vocabulary/service-error.ts';
import { VERSION_HEADER, validateVersion } from '../../vocabulary/service-version.ts';
import { SHOWN_RECORD_HEADER } from '../../vocabulary/shown-record.ts';
import type { Admittance } from '../http/caller-context.ts';
import { isFromOwnPage } from '../http/form-origin.ts';

/** How v2 lets requests to an operation in. `appUrl`: where the web application is, whose sessions it takes. */
export function admittanceOf(
  operation: Operation,
  services: Pick<Services, 'appUrl' | 'clock' | 'limits'>,
): Admittance {
  return {
    operation,
    check: (request, caller) => {
      requireOwnPage(request, caller, services.appUrl);
      requireShownRecord(request, caller);
      if (operation.freshSignIn === true) requireFreshSignIn(caller, services);
    },
    arrive: (request, reply) => echoIdempotencyKey(operation, request, reply),
    versionOf: (request) => ({ sent: versionOf(request) }),
  };
}

/** A page may show another account record than the one that its person has switched to in another tab since. */
function requireShownRecord({ headers }: FastifyRequest, { kind, accountRecord }: Caller): void {
  const shown = headers[SHOWN_RECORD_HEADER];
  if (kind !== 'session' || shown === undefined || shown === publicId('account_record', accountRecord.id))
    return;
  throw new ServiceError('insufficient_scope', {
    param: SHOWN_RECORD_HEADER,
    message:
      'This browser now works with another account record than the one that this page shows; reload it.',
  });
}

const SAFE: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/** A browser that was left open, or a stolen session, must not open a way to the data that outlasts it. */
function requireFreshSignIn(
  caller: Caller,
  { clock, limits }: Pick<Services, 'clock' | 'limits'>,
  param?: string,
): void {
  if (caller.kind !== 'session' || isFreshSignIn(caller.began, clock.now(), limits)) return;
  throw new ServiceError('fresh_sign_in_required', {
    ...(param !== undefined && { param }),
    message: `This opens a way to the data that outlasts the session, and needs a sign-in of the last ${limits.fresh_sign_in_minutes} minutes; sign in again.`,
  });
}

/**
 * As above, of an operation that asks for it only where the body has certain members. To be called before the operation
 * answers, so that no Idempotency-Key repeats the refusal. Raises `fresh_sign_in_required` with the member as `param`.
 */
export function requireFreshMembers(
  { freshSignIn }: Pick<Operation, 'freshSignIn'>,
  { body, caller, services }: UnparsedRequest,
): void {
  if (typeof freshSignIn === 'boolean' || typeof body !== 'object' || body === null) return;
  const found = freshSignIn.find((member) => Object.hasOwn(body, member));
  if (found !== undefined) requireFreshSignIn(caller, services, found);
}

/**
 * A browser adds the cookie of a session to whatever page asks, so a request that may change something must come from a
 * page of ours (docs/sign-in.md#other-sites).
 */
function requireOwnPage({ method, headers }: FastifyRequest, { kind }: Caller, appUrl: string): void {
  if (kind !== 'session' || SAFE.has(method) || isFromOwnPage(headers, appUrl)) return;
  throw new ServiceError('insufficient_scope', {
    message:
      'With the cookie of a session, only the web application itself may ask for this; use an API key.',
  });
}

/** The Service-Version as it was sent. */
function versionOf(request: FastifyRequest): string | undefined {
  const header = request.headers[VERSION_HEADER];
  return Array.isArray(header) ? header.join(',') : header;
}

/** Shows the caller the release they asked with, where it is one of ours; for refusals that come before its check. */
export function echoVersion(request: FastifyRequest, reply: FastifyReply): void {
  const sent = versionOf(request);
  if (validateVersion(sent) === null) reply.header(VERSION_HEADER, sent);
}

const HEADER = 'idempotency-key';

/**
 * Shows the caller the key of a request that changes something, one of ours where they sent none: the same number as
 * the request's id, since nothing is stored under it. A key that is refused is not shown.
 */
function echoIdempotencyKey(operation: Operation, request: FastifyRequest, reply: FastifyReply): void {
  if (operation.effect === 'reads') return;
  const sent = idempotencyKeyOf(request);
  if (sent === undefined) reply.header(HEADER, request.id.replace('req_', 'idem_'));
  else if (isIdempotencyKey(sent)) reply.header(HEADER, sent);
}

/** The Idempotency-Key as it was sent. */
export function idempotencyKeyOf(request: FastifyRequest): string | undefined {
  const sent = request.headers[HEADER];
  return Array.isArray(sent) ? sent.join(', ') : sent;
}
