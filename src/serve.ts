import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { type App, build, type Parts } from './build.ts';
import type { Config } from './platform/config.ts';
import { registerHostedPages } from './surfaces/hosted/routes.ts';
import { registerHealth } from './surfaces/http/health.ts';
import { createHttpServer } from './surfaces/http/server.ts';
import { registerErrorReference } from './surfaces/v2/error-reference.ts';
import { registerReference } from './surfaces/v2/openapi/reference-routes.ts';
import { registerDescription } from './surfaces/v2/openapi/routes.ts';
import { OPERATIONS } from './surfaces/v2/operation-table.ts';
import { answerUnroutable, registerV2 } from './surfaces/v2/routes.ts';

/** Longer than a database that can be used takes to answer `select 1`. */
const READY_MS = 2_000;

export interface Running {
  /** Where it listens, which behind a proxy is not where callers reach it. */
  readonly url: string;
  readonly app: App;
  /** Stops taking work, finishes what is under way within `shutdownSeconds`, closes everything. */
  close(): Promise<void>;
}

/** Runs the roles of the configuration. The port must be known: a caller that wants a free one picks it first. */
export async function serve(config: Config, parts: Parts): Promise<Running> {
  const app = await build(config, parts);
  const state = { stopping: false };
  const server = createHttpServer({
    bodyBytes: config.limits.body_bytes,
    trustProxy: config.trustProxy,
    docsUrl: `${config.publicUrl}/docs/errors`,
    unroutable: (request, reply) => answerUnroutable(request, reply, config.publicUrl),
  });
  try {
    await app.start(config.roles);
    if (config.roles.includes('api')) registerDoors(server, app);
    registerHealth(server, {
      ready: async () => !state.stopping && (await answers(app)),
      metrics: async () => ({ contentType: app.metrics.contentType, body: await app.metrics.text() }),
    });
    const url = await server.listen({ host: config.host, port: config.port });
    return {
      url,
      app,
      close: async () => {
        state.stopping = true;
        const half = (config.shutdownSeconds * 1000) / 2;
        await closeServer(server, half);
        await app.stop(half);
      },
    };
  } catch (error) {
    await server.close();
    await app.stop(0);
    throw error;
  }
}

/**
 * Lets requests under way end and cuts off what takes longer. Node stops watching its own time limits once a server is
 * closing, so one caller who never finishes sending would otherwise hold the shutdown for ever.
 */
async function closeServer(server: FastifyInstance, deadlineMs: number): Promise<void> {
  const cut = setTimeout(() => server.server.closeAllConnections(), deadlineMs);
  try {
    await server.close();
  } finally {
    clearTimeout(cut);
  }
}

function registerDoors(server: FastifyInstance, app: App): void {
  const { services, authentication, rateLimits, log, metrics } = app;
  registerV2(server, { operations: OPERATIONS, services, authentication, rateLimits, log, metrics });
  const { hostedDestinationLinks } = app.syncing;
  registerHostedPages(server, { hostedLinks: app.linking.hostedLinks, hostedDestinationLinks, log });
  registerDescription(server, { operations: OPERATIONS, publicUrl: services.publicUrl });
  registerReference(server);
  registerErrorReference(server);
}

/** Whether the database answers, and soon: on a line that died in silence nothing would come for a quarter of an hour. */
async function answers(app: App): Promise<boolean> {
  const done = new AbortController();
  const asked = sql`select 1`.execute(app.database.db).then(
    () => true,
    () => false,
  );
  const late = app.clock.sleep(READY_MS, done.signal).then(
    () => false,
    () => false,
  );
  try {
    return await Promise.race([asked, late]);
  } finally {
    done.abort();
  }
}
