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
import { type Presence, presenceAt, withPresence } from '../../platform/presence.ts';
import type { Notices } from '../../storage/notices.ts';
import { publicId } from '../../vocabulary/ids.ts';
import type { LimitName, Limits } from '../../vocabulary/limits.ts';
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
  sendAtOnce,
} from '../http/caller-context.ts';
import type { FailedRequests } from '../http/failed-requests.ts';
import { isFromOwnPage } from '../http/form-origin.ts';
import { originOf, searchOf } from '../http/request-url.ts';
import { acceptJsonBodies } from '../http/server.ts';
import type { Surface, Surfaces } from '../http/surfaces.ts';
import { answerError, sendError, versionOf } from './errors.ts';
import { LiveAnswers } from './live-answers.ts';
import { type ParsedQuery, parseQuery } from './query-string.ts';
import { streamAnswer } from './stream-answer.ts';

export interface V2Options {
  readonly operations: readonly Operation[];
  readonly services: Services;
  readonly authentication: Authentication;
  readonly rateLimits: RateLimits;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly failures: FailedRequests;
  /** How much of the answers of each account record waits to be read, on all surfaces. */
  readonly weights: AnswerWeights;
  /** After so many milliseconds in which the caller takes nothing, a streamed answer is aborted. */
  readonly stallMs: number;
  readonly notices: Pick<Notices, 'onChange' | 'onLost'>;
}

const JSON_TYPE = 'application/json; charset=utf-8';

/** Mounts every operation under `/v2`, each with the same steps in the same order. */
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
    ...(operation.file !== null && { bodyLimit: bodyLimitOf(operation.file, options.services.limits) }),
    onRequest: admitting(
      { ...admittanceOf(operation, options.services), ...atOnce(operation, options) },
      admit,
      options.authentication,
    ),
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
      const answer = () => operation.answer(asked);
      const { status, text, headers, replayed } = await withPresence(waiting(asked.caller, request), answer);
      for (const [name, value] of headers) reply.header(name, value);
      if (replayed) reply.header('idempotent-replayed', 'true');
      // The outcome of work that was done is always answered.
      if (operation.effect === 'reads')
        options.weights.hold(asked.caller.accountRecord.id, text.length, reply);
      reply.code(status).header('content-type', JSON_TYPE);
      return reply.send(text);
    },
    config: { operation: operation.id, query: operation.query },
  });
}

/** Longer ones, such as those with the token of a page, are parsed each time. */
const SEARCH_CHARACTERS = 300;
const SEARCHES_REMEMBERED = 1_000;
const NO_VALUES = {};

/** How requests are answered for which the operation needs to wait for nothing. */
function atOnce(operation: Operation, { services, weights }: V2Options): Pick<Admittance, 'answerAtOnce'> {
  if (operation.streamed !== null || operation.answerAtOnce === null) return {};
  const { answerAtOnce, query: schema, includes } = operation;
  const searches = new Map<string, ParsedQuery>();
  const parsed = (search: string): ParsedQuery | null => {
    const known = searches.get(search);
    if (known !== undefined) return known;
    if (search.length > SEARCH_CHARACTERS) return null;
    try {
      const found = parseQuery(search, schema, includes);
      if (searches.size >= SEARCHES_REMEMBERED) searches.clear();
      searches.set(search, found);
      return found;
    } catch {
      // Refused again in the usual way.
      return null;
    }
  };
  return {
    answerAtOnce: (request, reply, head) => {
      const asked = parsed(searchOf(request));
      if (asked === null) return false;
      const caller = callerOf(request);
      const more: string[] = [];
      const json = answerAtOnce(
        new OperationRequest(
          { params: NO_VALUES, query: asked.values, body: NO_VALUES, include: asked.include },
          {
            caller,
            services,
            from: null,
            idempotencyKey: undefined,
            queryNaming: 'query_string',
            header: (name, value) => void more.push(name, value),
            signal: () => abandoned(reply),
          },
        ),
      );
      if (json === null) return false;
      weights.hold(caller.accountRecord.id, json.text.length, reply);
      sendAtOnce(reply, more.length === 0 ? head : [...head, ...more], json, JSON_TYPE);
      return true;
    },
  };
}

/** The usual limit, and the file as base64 beside it. */
function bodyLimitOf(file: LimitName, limits: Limits): number {
  return limits.body_bytes + 4 * Math.ceil(limits[file] / 3);
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

/** Who waits for the answer at a browser; null for programs. */
function waiting({ kind }: Caller, request: FastifyRequest): Presence | null {
  const { address, userAgent } = originOf(request);
  return kind === 'session' ? presenceAt(address, userAgent) : null;
}

function lastEventIdOf({ headers }: FastifyRequest): string | undefined {
  const sent = headers['last-event-id'];
  return Array.isArray(sent) ? sent.join(', ') : sent;
}

/** How v2 admits requests to an operation. `appUrl`: the web application, whose sessions it accepts. */
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

/** A page may still show the account record from which the person has switched in another tab. */
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

/** An unattended browser or a stolen session must not grant access that outlasts it. */
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
 * The same for an operation that requires it only if the body has certain members. To be called before the operation
 * answers, so that the refusal is not stored under an Idempotency-Key. Raises `fresh_sign_in_required` with the member
 * as `param`.
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
 * A browser sends the session's cookie with requests of any page, so a request that may change something must come from
 * one of our own pages (docs/sign-in.md#other-sites).
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
 * Returns the idempotency key of a request that changes something. If the caller sent none it is the request's id,
 * since nothing is stored under it. A refused key is not returned.
 */
function echoIdempotencyKey(operation: Operation, request: FastifyRequest, reply: FastifyReply): void {
  if (operation.effect === 'reads') return;
  const sent = idempotencyKeyOf(request);
  if (sent === undefined) reply.header(HEADER, request.id.replace('req_', 'idem_'));
  else if (isIdempotencyKey(sent)) reply.header(HEADER, sent);
}

/** The Idempotency-Key as sent. */
export function idempotencyKeyOf(request: FastifyRequest): string | undefined {
  const sent = request.headers[HEADER];
  return Array.isArray(sent) ? sent.join(', ') : sent;
}
