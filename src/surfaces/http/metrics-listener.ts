import { createServer } from 'node:http';
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
 * `GET /metrics` on a listener of its own, so that figures are for the operator and not for everybody who
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
