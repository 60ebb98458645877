import type { FastifyInstance } from 'fastify';

export interface HealthOptions {
  /** Whether the service can do its work now: storage answers and nothing is shutting down. */
  readonly ready: () => Promise<boolean>;
  /** What keeps work from being done though requests are answered; for the operator, without anything about anybody. */
  readonly warnings: () => Promise<readonly string[]>;
}

/** A store that is back is in use again within seconds. */
const RETRY_SECONDS = '5';

/** For the operator: alive and ready. Neither says anything about anybody. Figures have a listener of their own. */
export function registerHealth(server: FastifyInstance, options: HealthOptions): void {
  server.get('/healthz', async () => ({ status: 'ok' }));
  server.get('/readyz', async (_request, reply) => {
    const ready = await options.ready();
    if (!ready) reply.header('retry-after', RETRY_SECONDS);
    if (!ready) return reply.code(503).send({ status: 'unavailable' });
    const warnings = await options.warnings();
    return reply.send({ status: 'ready', ...(warnings.length > 0 && { warnings }) });
  });
}
