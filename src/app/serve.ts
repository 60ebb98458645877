import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { OPERATIONS } from '../operations/operation-table.ts';
import { V1_ENDPOINTS } from '../operations/v1/endpoint-table.ts';
import type { Config } from '../platform/config.ts';
import { registerDocs } from '../surfaces/docs/routes.ts';
import { registerHomePage } from '../surfaces/hosted/home-page.ts';
import { registerHostedPages } from '../surfaces/hosted/routes.ts';
import { registerSandboxPages } from '../surfaces/hosted/sandbox-pages.ts';
import { registerStatusPage } from '../surfaces/hosted/status-page.ts';
import { AnswerWeights } from '../surfaces/http/caller-context.ts';
import { FailedRequests } from '../surfaces/http/failed-requests.ts';
import { registerLogos } from '../surfaces/http/logos.ts';
import {
  listenForMetrics,
  type MetricsListener,
  registerHealth,
  remembered,
} from '../surfaces/http/monitoring.ts';
import { outsideSurfaces } from '../surfaces/http/outside.ts';
import { closeServer, createHttpServer } from '../surfaces/http/server.ts';
import { requiresHttps } from '../surfaces/http/strict-transport.ts';
import { Surfaces } from '../surfaces/http/surfaces.ts';
import { registerMcp } from '../surfaces/mcp/routes.ts';
import { registerOAuth } from '../surfaces/oauth/routes.ts';
import { registerProviderWebhooks } from '../surfaces/provider-webhooks/routes.ts';
import { registerBridge } from '../surfaces/simplefin/routes.ts';
import { registerV1 } from '../surfaces/v1/routes.ts';
import { registerDescription } from '../surfaces/v2/openapi/routes.ts';
import { registerV2 } from '../surfaces/v2/routes.ts';
import { type AppFiles, readAppFiles, registerApp } from '../surfaces/web/app-routes.ts';
import { registerWebPages } from '../surfaces/web/routes.ts';
import { isLinkedProvider, PROVIDERS } from '../vocabulary/provider-kinds.ts';
import { type App, build, type Parts } from './build.ts';
import { notOffered, providersOf } from './integrations.ts';
import { serviceWarnings } from './service-metrics.ts';

/** Longer than a usable database takes to answer `select true`. */
const READY_MS = 2_000;
/** Short beside the seconds between two probes of a load balancer. */
const READY_FRESH_MS = 1_000;

/** Time for a request in addition to its read. */
const ANSWER_MS = 60_000;

/** Where `npm run web` puts the web application. */
const APP_FOLDER = new URL('../../web/dist/', import.meta.url);

export interface Running {
  /** Where it listens; behind a proxy this differs from the address that callers use. */
  readonly url: string;
  /** Where Prometheus scrapes metrics; null if metrics are off. */
  readonly metricsUrl: string | null;
  readonly app: App;
  /** Stops accepting work, finishes what is in progress within `shutdownSeconds`, and closes everything. */
  close(): Promise<void>;
}

/** Runs the configured roles. The port must be fixed: a caller that wants a free one picks it first. */
export async function serve(config: Config, parts: Parts): Promise<Running> {
  const app = await build(config, parts);
  const state = { stopping: false };
  const failures = new FailedRequests(app);
  const surfaces = new Surfaces(outsideSurfaces(failures, rootPath(config.appUrl)));
  const server = createHttpServer({
    surfaces,
    bodyBytes: config.limits.body_bytes,
    trustProxy: config.trustProxy,
    docsUrl: `${config.publicUrl}/docs/errors`,
    connections: config.limits.http_connections,
    silentMs: config.limits.read_deadline_ms + ANSWER_MS,
    tracing: app.tracing,
    stopping: () => state.stopping,
    httpsOnly: requiresHttps(config),
  });
  let metrics: MetricsListener | null = null;
  try {
    await app.start(config.roles);
    if (config.roles.includes('api')) {
      registerSurfaces(server, surfaces, { app, failures }, await readAppFiles(APP_FOLDER));
    }
    // Open to everyone, so that the database is not asked for each request.
    const reached = remembered(READY_FRESH_MS, () => answers(app));
    const health = {
      ready: async () => !state.stopping && (await reached()),
      warnings: serviceWarnings(app),
    };
    registerHealth(server, health);
    if (config.roles.includes('api')) {
      registerStatusPage(server, { ...health, providers: () => publicProviders(app) });
    }
    metrics = config.metrics === null ? null : await listenForMetrics(app.metrics, config.metrics);
    const url = await server.listen({ host: config.host, port: config.port });
    return {
      url,
      metricsUrl: metrics?.url ?? null,
      app,
      close: async () => {
        state.stopping = true;
        const half = (config.shutdownSeconds * 1000) / 2;
        await closeServer(server, half);
        await app.stop(half);
        await metrics?.close();
      },
    };
  } catch (error) {
    await server.close();
    await metrics?.close();
    await app.stop(0);
    throw error;
  }
}

function registerSurfaces(
  server: FastifyInstance,
  surfaces: Surfaces,
  { app, failures }: { readonly app: App; readonly failures: FailedRequests },
  appFiles: AppFiles | null,
): void {
  const { services, authentication, rateLimits, log, metrics, notices } = app;
  const weights = new AnswerWeights(app.config.limits.answer_bytes);
  const operations = OPERATIONS;
  registerV2(server, surfaces, {
    operations,
    services,
    authentication: app.v2Authentication,
    rateLimits,
    log,
    metrics,
    failures,
    notices,
    weights,
    stallMs: app.config.limits.read_deadline_ms + ANSWER_MS,
  });
  registerV1(server, surfaces, {
    endpoints: V1_ENDPOINTS,
    services,
    authentication,
    rateLimits,
    metrics,
    failures,
    weights,
  });
  registerBridge(server, surfaces, {
    services,
    authentication: app.bridgeAuthentication,
    rateLimits,
    log,
    metrics,
    failures,
    stallMs: app.config.limits.read_deadline_ms + ANSWER_MS,
  });
  registerMcp(server, surfaces, {
    services,
    authentication: app.mcpAuthentication,
    rateLimits,
    metrics,
    failures,
    weights,
    mcpUrl: app.config.mcpUrl,
    ownUrls: [app.config.publicUrl, app.config.appUrl],
    host: app.config.host,
  });
  const { hostedDestinationLinks } = app;
  const { hostedLinks } = app.linking;
  const { publicUrl } = services;
  registerHostedPages(server, surfaces, {
    hostedLinks,
    hostedDestinationLinks,
    sessions: app.signIn.sessionAuthenticator,
    members: app.signIn.members,
    rateLimits,
    publicUrl,
    log,
    metrics,
    failures,
  });
  const web = {
    ...app.signIn,
    ...app.notifying,
    clock: app.clock,
    limits: services.limits,
    accountRecords: services.accountRecords,
    accountRemoval: app.accountRemoval,
    operations,
    services,
    operator: app.operator,
    stallMs: app.config.limits.read_deadline_ms + ANSWER_MS,
    connectedApps: app.oauth.connectedApps,
    rateLimits,
    appUrl: services.appUrl,
    hasApp: appFiles !== null,
    log,
    metrics,
    failures,
  };
  registerWebPages(server, surfaces, web);
  const simulated = app.placed.flatMap(({ row, at }) => (at === 'simulator' ? [row.name] : []));
  const { exchangeRates } = app.config;
  const shown = { simulated, notOffered: notOffered(app.integrations, app.placed), exchangeRates };
  const openApp = appFiles === null ? null : registerApp(server, surfaces, appFiles, { ...web, ...shown });
  registerOAuth(server, surfaces, {
    oauth: app.oauth,
    sessions: app.signIn.sessionAuthenticator,
    members: app.signIn.members,
    sharedRecords: app.signIn.sharedRecords,
    rateLimits,
    addresses: app.config,
    clock: app.clock,
    limits: services.limits,
    metrics,
    failures,
  });
  registerProviderWebhooks(server, surfaces, {
    providerSignals: app.linking.providerSignals,
    rateLimits,
    bodyBytes: app.config.limits.provider_webhook_bytes,
    metrics,
    failures,
  });
  const description = registerDescription(server, {
    operations: OPERATIONS,
    publicUrl: services.publicUrl,
    limits: services.limits,
  });
  registerDocs(server, surfaces, {
    description,
    cookies: app.signIn.cookies,
    hasApp: appFiles !== null,
    root: rootPath(services.appUrl),
    metrics,
    failures,
  });
  registerLogos(server);
  registerHomePage(server, openApp, app.signIn.firstRun);
  for (const pages of app.sandboxPages) registerSandboxPages(server, pages);
}

/** Those that people link. One with the operator's own credentials would say where the operator has an account. */
function publicProviders({ placed, gateway: { providers } }: App) {
  return providersOf(placed)
    .map(({ row }) => row.name)
    .filter((name) => isLinkedProvider(name) && !providers.isPersonal(name))
    .map((name) => ({ name: PROVIDERS[name].texts.name, connects: providers.connects(name) }));
}

/** The path at which browsers reach the service, with a trailing slash. */
function rootPath(appUrl: string): string {
  return `${new URL(appUrl).pathname.replace(/\/$/, '')}/`;
}

/** Whether the database answers in time: a half-open connection would stay silent for a quarter of an hour. */
async function answers(app: App): Promise<boolean> {
  const done = new AbortController();
  const asked = sql`select true`.execute(app.database.db).then(
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
