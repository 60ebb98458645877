import type { FastifyInstance } from 'fastify';
import { systemClock } from '../../src/platform/clock.ts';
import { createLog } from '../../src/platform/log.ts';
import { Metrics } from '../../src/platform/metrics.ts';
import { FailedRequests } from '../../src/surfaces/http/failed-requests.ts';
import { outsideSurfaces } from '../../src/surfaces/http/outside.ts';
import { createHttpServer } from '../../src/surfaces/http/server.ts';
import { Surfaces } from '../../src/surfaces/http/surfaces.ts';

export interface HttpFrame {
  readonly server: FastifyInstance;
  readonly surfaces: Surfaces;
  readonly failures: FailedRequests;
}

/** The shared HTTP layer with nothing mounted on it. Bodies may have 1,024 bytes. */
export function httpFrame(connections = 1000): HttpFrame {
  const failures = new FailedRequests({
    log: createLog({ level: 'silent' }),
    metrics: new Metrics(),
    clock: systemClock,
  });
  const surfaces = new Surfaces(outsideSurfaces(failures, '/'));
  const server = createHttpServer({
    bodyBytes: 1024,
    trustProxy: false,
    docsUrl: 'http://docs.test',
    connections,
    silentMs: 60_000,
    stopping: () => false,
    httpsOnly: false,
    surfaces,
  });
  return { server, surfaces, failures };
}

/** Listens on a free port of the loopback interface. */
export async function listening({
  server,
}: HttpFrame): Promise<{ readonly url: string; close(): Promise<void> }> {
  const url = await server.listen({ host: '127.0.0.1', port: 0 });
  const close = async (): Promise<void> => {
    server.server.closeAllConnections();
    await server.close();
  };
  return { url, close };
}
