import type { FastifyInstance } from 'fastify';
import type { Metrics } from '../../platform/metrics.ts';

/**
 * Surfaces whose requests have no operations of their own, in the metric of requests. Files, `/status` and probes are
 * left out: they hardly fail, and would hide that other requests do.
 */
type ObservedSurface = 'pages' | 'link_pages' | 'docs' | 'provider_webhooks';

/** Adds the requests of a scope to the metric of requests, so that alerts can divide those that failed by them. */
export function observedAs(
  surface: ObservedSurface,
  scope: FastifyInstance,
  metrics: Pick<Metrics, 'httpRequest'>,
): void {
  scope.addHook('onResponse', (_request, reply, done) => {
    metrics.httpRequest(surface, reply.statusCode, reply.elapsedTime);
    done();
  });
}
