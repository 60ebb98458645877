import { createServer } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { Metrics } from '../../platform/metrics.ts';

/** Clients that ask more often get the same figures, because collecting them takes milliseconds. */
const FRESH_MS = 1_000;
/** Only a few programs collect metrics. */
const CONNECTIONS = 32;

export interface MetricsListener {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Serves `GET /metrics` on a separate listener, so that metrics are for the operator and not for everyone who can reach
 * the service. Rejects if the address is in use.
 */
export async function listenForMetrics(
  metrics: Pick<Metrics, 'text' | 'contentType'>,
  address: { readonly host: string; readonly port: number },
): Promise<MetricsListener> {
  const page = remembered(FRESH_MS, () => metrics.text());
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

/** The last result of `ask`, at most `freshMs` old. Concurrent callers share one call. */
export function remembered<T>(freshMs: number, ask: () => Promise<T>): () => Promise<T> {
  let last: { readonly result: Promise<T>; readonly until: number } | null = null;
  return () => {
    const now = performance.now();
    if (last !== null && now < last.until) return last.result;
    const result = ask();
    last = { result, until: now + freshMs };
    return result;
  };
}

export interface HealthOptions {
  /** Whether the service can do its work: storage responds, and the process is not shutting down. */
  readonly ready: () => Promise<boolean>;
  /**
   * Why background work is not being done although requests are answered; for the operator, without any personal data.
   */
  readonly warnings: () => Promise<readonly string[]>;
}

/** A store that is reachable again is used within seconds. */
const RETRY_SECONDS = '5';

/** Liveness and readiness, for the operator; neither contains personal data. Metrics have a separate listener. */
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
