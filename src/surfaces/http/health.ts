import type { FastifyInstance } from 'fastify';

export interface HealthOptions {
  /** Whether the service can do its work now: storage answers and nothing is shutting down. */
  readonly ready: () => Promise<boolean>;
  /** The figures for Prometheus. */
  readonly metrics: () => Promise<{ readonly contentType: string; readonly body: string }>;
}

/** For whoever runs the service: alive, ready, figures (design section 12). None says anything about anybody. */
export function registerHealth(server: FastifyInstance, options: HealthOptions): void {
  server.get('/healthz', async () => ({ status: 'ok' }));
  server.get('/readyz', async (_request, reply) => {
    const ready = await options.ready();
    return reply.code(ready ? 200 : 503).send({ status: ready ? 'ready' : 'unavailable' });
  });
  server.get('/metrics', async (_request, reply) => {
    const { contentType, body } = await options.metrics();
    return reply.type(contentType).send(body);
  });
}
