import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ProviderSignals } from '../../features/linking/provider-signals.ts';
import type { RateLimits } from '../../features/rate-limits/rate-limits.ts';
import type { Metrics } from '../../platform/metrics.ts';
import { isProviderIdentifier } from '../../vocabulary/provider-kinds.ts';
import { ServiceError } from '../../vocabulary/service-error.ts';
import type { FailedRequests } from '../http/failed-requests.ts';
import { observedAs } from '../http/observed-as.ts';
import type { Surface, Surfaces } from '../http/surfaces.ts';

export interface ProviderWebhookServices {
  readonly providerSignals: ProviderSignals;
  readonly rateLimits: Pick<RateLimits, 'webhooks'>;
  readonly bodyBytes: number;
  readonly metrics: Pick<Metrics, 'httpRequest'>;
  readonly failures: FailedRequests;
}

const OPERATION = 'provider_webhook';
const EMPTY = Buffer.alloc(0);

/**
 * Where providers send notifications: `POST /provider-webhooks/{provider}`. The body reaches the adapter byte for byte,
 * because vendors sign bytes. Answers 200 once the notification is recorded, even if it concerns nothing here; 401 if
 * the signature is invalid; 404 for a provider that sends none. After any other status, vendors send it again.
 */
export function registerProviderWebhooks(
  server: FastifyInstance,
  surfaces: Surfaces,
  services: ProviderWebhookServices,
): void {
  const { providerSignals, rateLimits, bodyBytes, failures } = services;
  const surface: Surface = {
    prefixes: ['/provider-webhooks'],
    answerMissing: (_request, reply, methods) =>
      methods.length === 0 ? answer(reply, 404) : answer(reply.header('allow', methods.join(', ')), 405),
    answerError: (thrown, request, reply) => refuse(thrown, request, reply, failures),
  };
  surfaces.mount(server, surface, (scope) => {
    observedAs('provider_webhooks', scope, services.metrics);
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: bodyBytes }, (_request, body, done) =>
      done(null, body),
    );
    scope.addHook('onRequest', (request) => rateLimits.webhooks.arrive(request.ip));
    scope.post<{ Params: { provider: string }; Body: unknown }>(
      '/provider-webhooks/:provider',
      { bodyLimit: bodyBytes },
      async (request, reply) => {
        const { provider } = request.params;
        if (!isProviderIdentifier(provider)) return answer(reply, 404);
        const body = request.body instanceof Uint8Array ? request.body : EMPTY;
        const { signal } = new AbortController();
        const known = await providerSignals.receive(provider, { body, headers: headersOf(request) }, signal);
        return answer(reply, known ? 200 : 401);
      },
    );
  });
}

function headersOf({ headers }: FastifyRequest): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  );
}

function refuse(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  failures: Pick<FailedRequests, 'note'>,
): FastifyReply {
  if (error instanceof ServiceError) {
    if (error.code === 'gateway_unavailable' || error.code === 'not_supported') return answer(reply, 404);
    failures.note(error, request, OPERATION);
    if (error.retryAfterSeconds !== undefined) {
      reply.header('retry-after', String(Math.ceil(error.retryAfterSeconds ?? 5)));
    }
    return answer(reply, error.status);
  }
  if (isRefusal(error)) return answer(reply, error.statusCode);
  failures.note(error, request, OPERATION);
  return answer(reply, 503);
}

/** Vendors look only at the status. */
function answer(reply: FastifyReply, status: number): FastifyReply {
  return reply.code(status).type('application/json; charset=utf-8').send('{}');
}

/** What Fastify refuses itself: a body that is too large or never ends. */
function isRefusal(error: unknown): error is { readonly statusCode: number } {
  return (
    typeof error === 'object' &&
    error !== null &&
    'statusCode' in error &&
    typeof error.statusCode === 'number' &&
    error.statusCode >= 400 &&
    error.statusCode < 500
  );
}
