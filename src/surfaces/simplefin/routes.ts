import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ClaimedToken } from '../../features/access/setup-tokens.ts';
import { WaitingSlots } from '../../features/rate-limits/waiting-slots.ts';
import type { AccountSetQuery } from '../../features/reads/account-sets.ts';
import { type Admit, createAdmit, type Release } from '../../operations/admit.ts';
import { accessUrl, BRIDGE_PATH } from '../../operations/simplefin/addresses.ts';
import { parseAccountsQuery } from '../../operations/simplefin/parameters.ts';
import { publicId } from '../../vocabulary/ids.ts';
import { ServiceError } from '../../vocabulary/service-error.ts';
import { allowSilence } from '../http/allowed-silence.ts';
import { originOf, searchOf } from '../http/request-url.ts';
import type { Surface, Surfaces } from '../http/surfaces.ts';
import { abandoned, answerAccounts } from './accounts.ts';
import type { BridgeOptions } from './bridge-options.ts';
import { CORS, JSON_TYPE, PREFLIGHT, PRIVATE, TEXT_TYPE } from './headers.ts';
import { answerError, answerMissing } from './refusals.ts';

/** Version 2 of the protocol is served in addition to version 1, but as in version 1 it is not listed. */
const VERSIONS = JSON.stringify({ versions: ['1.0'] });
/** A claim has no body; if an app sends one, it is ignored. */
const MOST_BODY_BYTES = 1024;
/** For admission: every request of an app is in the bridge's own tier and reads data. */
const READ = { tier: 'bridge', scope: 'data:read', alsoScopes: [], planGate: null } as const;

/** The SimpleFIN-compatible bridge (docs/simplefin.md): the protocol's four endpoints, and preflights of web pages. */
export function registerBridge(server: FastifyInstance, surfaces: Surfaces, options: BridgeOptions): void {
  const { metrics, services } = options;
  const { tiers, heavy: slots } = options.rateLimits;
  const { clock, limits } = services;
  const admit = createAdmit({ tiers, heavy: new WaitingSlots({ slots, limits, clock }) }, clock);
  const longestWait = limits.bridge_wait_seconds * 1000 + limits.read_deadline_ms;
  const surface: Surface = {
    prefixes: [BRIDGE_PATH],
    answerMissing,
    answerError: (thrown, request, reply) => answerError(thrown, request, reply, options),
  };
  surfaces.mount(server, surface, (scope) => {
    const discard = (_request: unknown, _body: unknown, done: (error: null, body: null) => void) =>
      done(null, null);
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MOST_BODY_BYTES }, discard);
    scope.addHook('onRequest', async (request, reply) => {
      reply.headers(CORS).headers(PRIVATE).header('request-id', request.id);
    });
    scope.addHook('onResponse', (request, reply, done) => {
      const name = request.routeOptions.config.bridge ?? 'none';
      metrics.httpRequest(`simplefin_${name}`, reply.statusCode, reply.elapsedTime);
      done();
    });
    scope.get(`${BRIDGE_PATH}/info`, { config: { bridge: 'info' } }, (_request, reply) =>
      reply.type(JSON_TYPE).send(VERSIONS),
    );
    scope.get(`${BRIDGE_PATH}/create`, { config: { bridge: 'create' } }, (_request, reply) =>
      reply.redirect(`${services.publicUrl}/docs/simplefin#setup-tokens`, 303),
    );
    const claim = (request: FastifyRequest<{ Params: { token: string } }>, reply: FastifyReply) =>
      answerClaim(request.params.token, request, reply, options);
    for (const path of ['claim/:token', 'claim/:token/'])
      scope.post(`${BRIDGE_PATH}/${path}`, { config: { bridge: 'claim' } }, claim);
    scope.get(`${BRIDGE_PATH}/accounts`, { config: { bridge: 'accounts' } }, async (request, reply) => {
      const caller = await options.authentication.authenticate(request.headers, request.ip);
      allowSilence(reply, longestWait);
      const gone = abandoned(reply);
      const asked = askedOf(request);
      const counted = !('query' in asked) || !services.accountSets.isBeforeHistory(asked.query);
      releaseAfter(reply, await admitted(admit, { caller, counted, signal: gone }, reply));
      if ('fault' in asked) throw asked.fault;
      return answerAccounts({ caller, query: asked.query, gone }, request, reply, options);
    });
    for (const path of ['info', 'claim/:token', 'claim/:token/', 'accounts']) {
      scope.options(`${BRIDGE_PATH}/${path}`, { config: { bridge: 'preflight' } }, preflight);
    }
  });
}

function admitted(
  admit: Admit,
  request: Pick<Parameters<Admit>[0], 'caller' | 'counted' | 'signal'>,
  reply: FastifyReply,
): ReturnType<Admit> {
  const header = (name: string, value: string): void => void reply.header(name, value);
  return admit({ ...request, operation: READ, version: null, header });
}

/** The request, which determines whether it is counted; its errors are reported only to admitted callers. */
function askedOf(request: FastifyRequest): { readonly query: AccountSetQuery } | { readonly fault: unknown } {
  try {
    return { query: parseAccountsQuery(new URLSearchParams(searchOf(request))) };
  } catch (fault) {
    return { fault };
  }
}

/** A response closes when it is complete, and when its connection breaks. */
function releaseAfter(reply: FastifyReply, release: Release | null): void {
  if (release === null) return;
  if (reply.raw.closed) release();
  else reply.raw.once('close', release);
}

function preflight(_request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return reply.code(204).headers(PREFLIGHT).send();
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Endpoint of the bridge, for metrics and the form of refusals. */
    bridge?: 'info' | 'create' | 'claim' | 'accounts' | 'preflight';
  }
}

/**
 * Answers a claim with just the access URL, because apps store the body unchanged. A token that cannot be claimed (any
 * more) is refused like a wrong credential, and counts towards the same limit of failures.
 */
async function answerClaim(
  token: string,
  request: FastifyRequest,
  reply: FastifyReply,
  { services, rateLimits }: BridgeOptions,
): Promise<FastifyReply> {
  const bucket = await rateLimits.attempts.arrive(request.ip, token);
  // Both or neither, because a token that was claimed in vain could not be claimed again.
  const claimed = await services.auditLog.atOnce(() => claim(token, request, services));
  if (claimed === null) {
    await rateLimits.attempts.fail(bucket);
    throw new ServiceError('api_key_invalid');
  }
  return reply.code(200).type(TEXT_TYPE).send(accessUrl(services.publicUrl, claimed.credentials));
}

async function claim(
  token: string,
  request: FastifyRequest,
  { auditLog, setupTokens }: BridgeOptions['services'],
): Promise<ClaimedToken | null> {
  const claimed = await setupTokens.claim(token);
  if (claimed === null) return null;
  await auditLog.note(claimed.owner, {
    kind: 'simplefin_app.connected',
    by: { kind: 'bridge_app', id: claimed.app, user: null },
    from: originOf(request),
    target: publicId('simplefin_app', claimed.app),
  });
  return claimed;
}
