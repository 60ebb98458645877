import { Type } from 'typebox';
import type { App } from '../../src/build.ts';
import { createHttpServer } from '../../src/surfaces/http/server.ts';
import { none, type Operation, operation } from '../../src/surfaces/v2/operation.ts';
import { registerV2 } from '../../src/surfaces/v2/routes.ts';

/** A second listener over the same service, with operations of the test's own behind the steps of v2. */
export async function openSideDoor(
  app: App,
  operations: readonly Operation[],
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const server = createHttpServer({
    bodyBytes: 1024,
    trustProxy: false,
    docsUrl: 'http://docs.test',
    unroutable: () => undefined,
  });
  const { services, authentication, rateLimits, log, metrics } = app;
  registerV2(server, { operations, services, authentication, rateLimits, log, metrics });
  const url = await server.listen({ host: '127.0.0.1', port: 0 });
  const close = async (): Promise<void> => {
    server.server.closeAllConnections();
    await server.close();
  };
  return { url, close };
}

/** A heavy read that does as told. */
export function heavyOperation(path: string, handle: (signal: AbortSignal) => Promise<void>): Operation {
  return operation({
    id: 'wait_here',
    summary: 'Waits',
    method: 'GET',
    path,
    scope: null,
    tier: 'heavy',
    params: none,
    query: none,
    body: none,
    response: Type.Object({ object: Type.Literal('done') }),
    handle: async ({ signal }) => {
      await handle(signal);
      return { object: 'done' as const };
    },
  });
}
