import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Authentication } from '../../features/access/authentication.ts';
import { type Caller, isFreshSignIn } from '../../features/access/caller.ts';
import type { RateLimits } from '../../features/rate-limits/rate-limits.ts';
import { type Admit, createAdmit } from '../../operations/admit.ts';
import { isIdempotencyKey } from '../../operations/answer-once.ts';
import type { Operation } from '../../operations/operation.ts';
import { OperationRequest, type UnparsedRequest } from '../../operations/operation-request.ts';
import type { Services } from '../../operations/services.ts';
import type { Log } from '../../platform/log.ts';
import type { Metrics } from '../../platform/metrics.ts';
import type { Notices } from '../../storage/notices.ts';
import { publicId } from '../../vocabulary/ids.ts';
import { ServiceError } from '../../vocabulary/service-error.ts';
import { SHOWN_RECORD_HEADER } from '../../vocabulary/shown-record.ts';
import { allowSilence } from '../http/allowed-silence.ts';
import {
  type Admittance,
  type AnswerWeights,
  abandoned,
  admitting,
  callerOf,
  decorateWithCaller,
} from '../http/caller-context.ts';
import { isFromOwnPage } from '../http/form-origin.ts';
import { originOf, searchOf } from '../http/request-url.ts';
import { acceptJsonBodies } from '../http/server.ts';
import type { Surface, Surfaces } from '../http/surfaces.ts';
import { answerError, sendError, versionOf } from './errors.ts';
import { LiveAnswers } from './live-answers.ts';
import { parseQuery } from './query-string.ts';
import { streamAnswer } from './stream-answer.ts';

export interface V2Options {
  readonly operations: readonly Operation[];
  readonly services: Services;
  readonly authentication: Authentication;
  readonly rateLimits: RateLimits;
  readonly log: Log;
  readonly metrics: Metrics;
  /** What is on its way to each account record, through whichever surface. */
  readonly weights: AnswerWeights;
  /** After so many milliseconds in which the caller takes nothing, a streamed answer is aborted. */
  readonly stallMs: number;
  readonly notices: Pick<Notices, 'onChange' | 'onLost'>;
}

const JSON_TYPE = 'application/json; charset=utf-8';

/** Mounts every operation under `/v2`, each behind the same steps in the same order. */
export function registerV2(server: FastifyInstance, surfaces: Surfaces, options: V2Options): void {
  const admit = createAdmit(options.rateLimits, options.services.clock);
  const surface: Surface = {
    prefixes: ['/v2'],
    // An address and a method make a route together (docs/errors.md, route_missing).
    answerMissing: (request, reply) => sendError(new ServiceError('route_missing'), request, reply, options),
    answerError: (thrown, request, reply) => answerError(thrown, request, reply, options),
  };
  surfaces.mount(server, surface, (scope) => {
    acceptJsonBodies(scope);
    decorateWithCaller(scope);
    scope.addHook('onResponse', (request, reply, done) => {
      const operation = request.routeOptions.config.operation ?? 'none';
      options.metrics.httpRequest(operation, reply.statusCode, reply.elapsedTime);
      done();
    });
    const live = new LiveAnswers({ ...options, clock: options.services.clock });
    scope.addHook('preClose', (done) => {
      live.stop();
      done();
    });
    for (const operation of options.operations) mount(scope, operation, admit, live, options);
  });
}

function mount(
  scope: FastifyInstance,
  operation: Operation,
  admit: Admit,
  live: LiveAnswers,
  options: V2Options,
): void {
  scope.route({
    method: operation.update ? [operation.method, 'PATCH'] : operation.method,
    url: operation.path,
    onRequest: admitting(admittanceOf(operation, options.services), admit, options.authentication),
    handler: async (request, reply) => {
      if (operation.longest !== null) allowSilence(reply, options.services.limits[operation.longest] * 1000);
      const asked = unparsed(request, reply, operation, options.services);
      requireFreshMembers(operation, asked);
      if (operation.streamed !== null) {
        const streamed = await operation.stream(asked);
        const gone = asked.signal;
        const write = (until: AbortSignal): Promise<void> =>
          streamAnswer(streamed, operation, request, reply, until, options);
        if (operation.streamed.live) await live.during(request, operation, gone, write);
        else await write(gone);
        return reply;
      }
      const { status, text, headers, replayed } = await operation.answer(asked);
      for (const [name, value] of headers) reply.header(name, value);
      if (replayed) reply.header('idempotent-replayed', 'true');
      // What was done is answered in any case.
      if (operation.effect === 'reads') options.weights.hold(asked.caller.accountRecord.id, text, reply);
      reply.code(status).header('content-type', JSON_TYPE);
      return reply.send(text);
    },
    config: { operation: operation.id, query: operation.query },
  });
}

function unparsed(
  request: FastifyRequest,
  reply: FastifyReply,
  operation: Operation,
  services: Services,
): UnparsedRequest {
  const { values, include } = parseQuery(searchOf(request), operation.query, operation.includes);
  const body = request.body === undefined ? {} : request.body;
  return new OperationRequest(
    { params: request.params, query: values, body, include },
    {
      caller: callerOf(request),
      services,
      from: originOf(request),
      idempotencyKey: idempotencyKeyOf(request),
      queryNaming: 'query_string',
      lastEventId: lastEventIdOf(request),
      header: (name, value) => void reply.header(name, value),
      signal: () => abandoned(reply),
    },
  );
}

function lastEventIdOf({ headers }: FastifyRequest): string | undefined {
  const sent = headers['last-event-id'];
  return Array.isArray(sent) ? sent.join(', ') : sent;
}

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
function requireFreshMembers(
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
