import { createServer } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { Metrics } from '../../platform/metrics.ts';

/** A client that asks more often gets the same figures: writing them takes milliseconds. */
const FRESH_MS = 1_000;
/** Those who collect figures are few. */
const CONNECTIONS = 32;

export interface MetricsListener {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * `GET /metrics` on a listener of its own, so that figures are for the operator and not for everyone who
 * reaches it. Rejects when the address is taken.
 */
export async function listenForMetrics(
  metrics: Pick<Metrics, 'text' | 'contentType'>,
  address: { readonly host: string; readonly port: number },
): Promise<MetricsListener> {
  const page = remembered(() => metrics.text());
  const server = createServer((request, response) => {
    const path = request.url?.split('?')[0];
    if (path !== '/metrics' || (request.method !== 'GET' && request.method !== 'HEAD')) {
      response.writeHead(404, { 'content-type': 'text/plain; charset=utf-8' }).end('GET /metrics\n');
      return;
    }
    page().then(
      (text) => response.writeHead(200, { 'content-type': metrics.contentType }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  server.maxConnections = CONNECTIONS;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(address.port, address.host, resolve);
  });
  const bound = server.address();
  const port = bound !== null && typeof bound === 'object' ? bound.port : address.port;
  const host = address.host.includes(':') ? `[${address.host}]` : address.host;
  return {
    url: `http://${host}:${port}/metrics`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** What `write` last resolved with, at most `FRESH_MS` old; those who ask meanwhile wait for the same. */
function remembered(write: () => Promise<string>): () => Promise<string> {
  let last: { readonly text: Promise<string>; readonly until: number } | null = null;
  return () => {
    const now = performance.now();
    if (last !== null && now < last.until) return last.text;
    const text = write();
    last = { text, until: now + FRESH_MS };
    return text;
  };
}

interface HealthOptions {
  /** Whether the service can do its work now: storage answers and nothing is shutting down. */
  readonly ready: () => Promise<boolean>;
  /** What keeps work from being done though requests are answered; for the operator, without anything about anyone. */
  readonly warnings: () => Promise<readonly string[]>;
}

/** A store that is back is in use again within seconds. */
const RETRY_SECONDS = '5';

/** For the operator: alive and ready. Neither says anything about anyone. Figures have a listener of their own. */
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
