import { FAULT_KINDS } from '../../sandbox/shared/faults.ts';
import { type BackgroundParts, startBackgroundWork } from '../background/background-work.ts';
import type { DestinationConnector } from '../connectors/destinations/destination-contract.ts';
import { Authentication } from '../features/access/authentication.ts';
import { type Access, createAccess } from '../features/access/create-access.ts';
import { AccountRemoval } from '../features/account-removal/account-removal.ts';
import { AuditLog } from '../features/audit/audit-log.ts';
import { Categories } from '../features/categories/categories.ts';
import { CategoryAssignments } from '../features/categories/category-assignments.ts';
import { Taxonomies } from '../features/categories/taxonomies.ts';
import { ChangeCursors } from '../features/changes/change-cursors.ts';
import { Changes } from '../features/changes/changes.ts';
import {
  createDestinations,
  type DestinationFeatures,
} from '../features/destinations/create-destinations.ts';
import { DestinationSecrets } from '../features/destinations/destination-secrets.ts';
import { createDocuments, type DocumentFeatures } from '../features/documents/create-documents.ts';
import { EncryptionRotation } from '../features/encryption/encryption-rotation.ts';
import { createEventDestinations } from '../features/event-destinations/create-event-destinations.ts';
import { EventLog, type EventTrigger } from '../features/events/event-log.ts';
import { Exports } from '../features/exports/exports.ts';
import { Idempotency } from '../features/idempotency/idempotency.ts';
import { createLinking, type Linking } from '../features/linking/linking.ts';
import {
  createNotifications,
  type NotificationFeatures,
} from '../features/notifications/create-notifications.ts';
import { createOAuth, type OAuthFeatures } from '../features/oauth/create-oauth.ts';
import { Backups } from '../features/operator/backups.ts';
import { createOperator, type OperatorFeatures } from '../features/operator/create-operator.ts';
import { MemoryCache } from '../features/provider-gateway/memory-cache.ts';
import type { ProviderGateway } from '../features/provider-gateway/provider-gateway.ts';
import { openRateLimits, type RateLimits } from '../features/rate-limits/rate-limits.ts';
import type { CategoryResolver } from '../features/reads/account-reads.ts';
import { createReads } from '../features/reads/create-reads.ts';
import { createRulesets } from '../features/rulesets/create-rulesets.ts';
import { rowRulesOfSync } from '../features/rulesets/row-rules-of-sync.ts';
import { SavedViews } from '../features/saved-views/saved-views.ts';
import { createSignIn, type SignInFeatures } from '../features/sign-in/create-sign-in.ts';
import { GatewaySource } from '../features/sync-engine/read/sync-source.ts';
import { Replays } from '../features/sync-engine/replay/replays.ts';
import { SyncEngine } from '../features/sync-engine/run/sync-engine.ts';
import { DryRuns } from '../features/sync-engine/verify/dry-runs.ts';
import { Verifications } from '../features/sync-engine/verify/verifications.ts';
import { disableSyncsOfConnection } from '../features/syncs/connection-syncs.ts';
import { createSyncs } from '../features/syncs/create-syncs.ts';
import { CategoryTexts } from '../operations/category-texts.ts';
import { ListSlots } from '../operations/list-slots.ts';
import type { Services } from '../operations/services.ts';
import { AddressGuard } from '../platform/address-guard.ts';
import type { Clock } from '../platform/clock.ts';
import type { Config, Role } from '../platform/config.ts';
import type { Log } from '../platform/log.ts';
import type { Mailer } from '../platform/mailer.ts';
import { Metrics } from '../platform/metrics.ts';
import { NameResolver } from '../platform/name-resolver.ts';
import { OutgoingAddresses } from '../platform/outgoing-addresses.ts';
import { OutgoingHttp } from '../platform/outgoing-http.ts';
import { Sealer } from '../platform/sealing.ts';
import { NO_TRACING, type OpenTracing, type Tracing } from '../platform/tracing.ts';
import { guessCsvLayout, previewCsv } from '../statements/csv/csv-file.ts';
import { parseStatementFile } from '../statements/statement-file.ts';
import type { OpenDatabase } from '../storage/database.ts';
import { deleteDocumentsOf } from '../storage/documents.ts';
import { Jobs } from '../storage/jobs.ts';
import { Notices } from '../storage/notices.ts';
import { Upkeep } from '../storage/upkeep.ts';
import type { SandboxPages } from '../surfaces/hosted/sandbox-pages.ts';
import { rowId } from '../vocabulary/ids.ts';
import { buildConnectors, buildGateway } from './build-connectors.ts';
import type { EarlyDatabase } from './early-database.ts';
import {
  INTEGRATIONS,
  type Integration,
  type PlacedIntegration,
  placeIntegrations,
  trustedOrigins,
} from './integrations.ts';
import { KNOWN_SERIES } from './known-series.ts';
import { openStorage, preparedStorage } from './open-storage.ts';
import {
  type Installation,
  openSandbox,
  type PreparedSandbox,
  type Sandbox,
  sandboxPath,
} from './sandbox-mode.ts';
import { countRun, watchService } from './service-metrics.ts';

export interface Parts {
  readonly log: Log;
  readonly clock: Clock;
  /** Called for every change of state, in addition to recording its event. */
  readonly events?: EventTrigger;
  /** The integrations; by default all of them. */
  readonly integrations?: readonly Integration[];
  /** Simulators that are already loaded. */
  readonly sandbox?: PreparedSandbox;
  /** For a process that may share its data directory with others. */
  readonly installation?: Installation;
  /** The embedded database, if it is being opened already; absent or null if it is to be opened. */
  readonly database?: EarlyDatabase | null;
  /** Additional types of destination, for tests of what all types share. */
  readonly connectors?: (http: OutgoingHttp) => readonly DestinationConnector[];
}

/** How long a statement may take during shutdown: a healthy database needs less. */
const STOPPING_MS = 2_000;

/** All parts of the service, built once and passed explicitly. No HTTP server or background work is running yet. */
export interface App {
  readonly config: Config;
  readonly log: Log;
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly tracing: Tracing;
  readonly database: OpenDatabase;
  readonly notices: Notices;
  readonly authentication: Access['authentication'];
  /** For v2, which also accepts sessions of the web application and tokens issued for v2. */
  readonly v2Authentication: Authentication;
  /** For the MCP server, which accepts API keys and tokens issued for it. */
  readonly mcpAuthentication: Authentication;
  readonly apiKeyAuthenticator: Access['apiKeyAuthenticator'];
  readonly bridgeAuthentication: Access['bridgeAuthentication'];
  readonly bridgeAppAuthenticator: Access['bridgeAppAuthenticator'];
  readonly signIn: SignInFeatures;
  readonly oauth: OAuthFeatures;
  readonly notifying: NotificationFeatures;
  readonly rateLimits: RateLimits;
  readonly services: Services;
  readonly gateway: ProviderGateway;
  readonly linking: Linking;
  readonly hostedDestinationLinks: DestinationFeatures['hostedDestinationLinks'];
  readonly accountRemoval: AccountRemoval;
  readonly documentRetention: DocumentFeatures['documentRetention'];
  readonly operator: OperatorFeatures;
  readonly sandbox: Sandbox | null;
  /** The pages of each integration that is simulated. */
  readonly sandboxPages: readonly SandboxPages[];
  /** Every integration, and those that are configured. */
  readonly integrations: readonly Integration[];
  readonly placed: readonly PlacedIntegration[];
  /** Starts notices, the queue, and the background work of the configured roles. */
  start(roles: readonly Role[]): Promise<void>;
  /** Ends background work within the deadline, then closes everything that was opened. */
  stop(deadlineMs: number): Promise<void>;
}

/**
 * Opens storage, migrates it and builds every feature once.
 * @throws the error of a part that cannot be opened, after closing the parts opened before it
 */
export async function build(config: Config, parts: Parts): Promise<App> {
  const { log, clock, integrations = INTEGRATIONS } = parts;
  // Closed in reverse order if a later part fails to build: an open database would keep the process alive.
  await using opened = new AsyncDisposableStack();
  const database = await openStorage(config, log, parts.database?.take());
  opened.defer(() => database.close());
  const { db } = database;
  const keyring = await preparedStorage(database, config, log);
  const sandbox = config.sandbox ? await openSandbox({ ...parts, integrations, config, database }) : null;
  opened.defer(async () => sandbox?.close());
  const metrics = new Metrics({ process: true, known: KNOWN_SERIES });
  const recorder = await openTracing(config, { log, metrics });
  opened.defer(() => recorder?.close());
  const tracing = recorder ?? NO_TRACING;
  const notices = new Notices(database);
  const jobs = new Jobs({ clock, notices });
  const eventLog = new EventLog({ clock, notices });
  const events: EventTrigger = async (trx, ...event) => {
    await eventLog.trigger(trx, ...event);
    countRun(metrics, event[1]);
    await parts.events?.(trx, ...event);
  };
  const placed = placeIntegrations(integrations, config, sandbox?.reached ?? new Map());
  const guard = new AddressGuard(config.outboundAllow);
  const names = new NameResolver({
    atOnce: config.limits.names_at_once,
    waiting: config.limits.names_waiting,
    deadlineMs: config.limits.name_deadline_ms,
    servers: config.outboundDns,
    localNames: config.outboundAllow.length > 0,
  });
  const simulators = [...(sandbox?.reached.values() ?? [])];
  const http = new OutgoingHttp({
    guard,
    connectionsPerOrigin: config.limits.provider_calls,
    names,
    trustedOrigins: [...trustedOrigins(placed), ...simulators.map(({ url }) => url)],
  });
  const addresses = new OutgoingAddresses({
    guard,
    names,
    trusted: simulators.flatMap(({ secret }) => (secret === undefined ? [] : [new URL(secret).host])),
  });
  opened.defer(() => http.close());
  const { cache_bytes: bytes, cache_owner_bytes: ownerBytes } = config.limits;
  const cache = new MemoryCache(clock, { bytes, ownerBytes });
  const rateLimits = await openRateLimits({
    redisUrl: config.redisUrl,
    database,
    keyring,
    limits: config.limits,
    clock,
    log,
  });
  opened.defer(() => rateLimits.close());
  const { quotas, turns } = rateLimits;
  const tools = { http, clock, log, limits: config.limits };
  const ownUrls = [config.publicUrl, config.appUrl, config.mcpUrl];
  const gateway = await buildGateway({
    ...tools,
    db,
    keyring,
    metrics,
    cache,
    turns,
    quotas,
    ownUrls,
    integrations: placed,
  });
  const auditLog = new AuditLog({ db, clock, log, limits: config.limits });
  const linking = createLinking({
    db,
    auditLog,
    clock,
    limits: config.limits,
    keyring,
    gateway,
    jobs,
    notices,
    hooks: {
      onConnectionRevoked: async (trx, owner, connection) => {
        await disableSyncsOfConnection(trx, owner, connection, new Date(clock.now()), events);
        await deleteDocumentsOf(trx, owner, connection);
      },
      onProviderData: (owner, connection) => syncs.syncRuns.copyNewData(owner, connection),
    },
    events,
    publicUrl: config.publicUrl,
    appUrl: config.appUrl,
    personalAccount: config.personalAccount,
  });
  // Every process purges the cache of a connection that any process revoked, or whose owner opted out of caching.
  notices.onNotice(({ kind, id }) => {
    if (kind === 'connection') cache.purge(rowId('connection', id));
  });
  notices.onLost(() => cache.clear());
  const taxonomies = new Taxonomies({ db, clock, notices });
  const upkeep = database.kind === 'embedded' ? new Upkeep(db, clock) : null;
  const shared = { db, clock, log, keyring, jobs, notices, gateway, events, limits: config.limits };
  const secrets = new DestinationSecrets(keyring);
  const connectors = await buildConnectors(
    placed,
    { ...tools, quotas, addresses },
    parts.connectors?.(http) ?? [],
  );
  const destinations = createDestinations({
    ...shared,
    secrets,
    connectors,
    guard,
    publicUrl: config.publicUrl,
  });
  const { accounts } = linking;
  const syncs = createSyncs({ ...shared, accounts, targets: destinations.targetChecks });
  const source = new GatewaySource({ ...shared, accounts });
  const rulesOf = rowRulesOfSync({ ...shared, taxonomies });
  const categoryOf: CategoryResolver = async (owner) => (await taxonomies.of(owner)).categoryOf;
  const delivering = { ...shared, metrics, secrets, grants: destinations.destinationGrants, connectors };
  const mailer = await openMailer(config);
  opened.defer(() => mailer?.close());
  const notifying = createNotifications({
    ...shared,
    ...config,
    guard,
    http,
    mailer,
    sender: config.mail?.from ?? null,
  });
  const { notifications, transactionWatches } = notifying;
  const syncEngine = new SyncEngine({
    ...delivering,
    source,
    rulesOf,
    watchOf: (sync) => transactionWatches.of(sync),
  });
  const reads = createReads({
    ...shared,
    accounts,
    notices,
    categories: categoryOf,
    knownCategories: (owner) => taxonomies.known(owner)?.categoryOf ?? null,
  });
  const documentFeatures = createDocuments({
    ...shared,
    connections: linking.statementConnections,
    accountReads: reads.accountReads,
    parsers: { parse: parseStatementFile, guessCsv: guessCsvLayout, previewCsv },
  });
  const eventFeatures = createEventDestinations({
    ...shared,
    guard,
    http,
    metrics,
    notices,
    eventLog,
    alsoTo: (...handedOn) => notifications.ofEvents(...handedOn),
  });
  const backups = new Backups({ database, config, clock, log });
  watchService(metrics, { db, clock, limits: config.limits, quotas, backups });
  const access = createAccess({ ...shared, notices, attempts: rateLimits.attempts });
  const { authentication, apiKeyAuthenticator, bridgeAppAuthenticator, bridgeAuthentication } = access;
  const signIn = createSignIn({
    ...shared,
    notices,
    accountRecords: access.accountRecords,
    auditLog,
    mailer,
    attempts: rateLimits.signIns,
    appUrl: config.appUrl,
    onNewDevice: (...signedIn) => notifications.newDevice(...signedIn),
  });
  const { sessionAuthenticator } = signIn;
  const oauth = createOAuth({ ...shared, ...config, auditLog, notices, http });
  const { v2TokenAuthenticator, mcpTokenAuthenticator } = oauth;
  const v2Authentication = new Authentication({
    authenticators: [apiKeyAuthenticator, v2TokenAuthenticator, sessionAuthenticator],
    attempts: rateLimits.attempts,
  });
  const mcpAuthentication = new Authentication({
    authenticators: [apiKeyAuthenticator, mcpTokenAuthenticator],
    attempts: rateLimits.attempts,
  });
  const services: Services = {
    ...access,
    ...linking,
    ...reads,
    ...destinations,
    ...documentFeatures,
    ...eventFeatures,
    ...syncs,
    connectedApps: oauth.connectedApps,
    ...createRulesets({ ...shared, accountReads: reads.accountReads, taxonomies }),
    auditLog,
    clock,
    limits: config.limits,
    publicUrl: config.publicUrl,
    appUrl: config.appUrl,
    pageSealer: new Sealer(keyring, 'page-token'),
    listSlots: new ListSlots(config.limits),
    categories: new Categories({ ...shared, notices }),
    categoryTexts: new CategoryTexts(),
    categoryOf,
    changes: new Changes({
      ...shared,
      accounts,
      cursors: new ChangeCursors(new Sealer(keyring, 'change-cursor')),
      categories: categoryOf,
    }),
    exports: new Exports({ ...shared, accounts, source, rulesOf }),
    dryRuns: new DryRuns({ ...shared, source, secrets, rulesOf }),
    savedViews: new SavedViews(shared),
    categoryAssignments: new CategoryAssignments({ ...shared, notices }),
    replays: new Replays({ ...delivering, source, rulesOf }),
    verifications: new Verifications({ ...delivering, source, rulesOf }),
    idempotency: new Idempotency(shared),
  };
  const accountRemoval = new AccountRemoval({
    ...shared,
    notices,
    connectionRevocation: linking.connectionRevocation,
    destinations: destinations.destinations,
  });
  const operator = createOperator({
    ...access,
    config,
    clock,
    database,
    auditLog,
    accountRemoval,
    connectedApps: oauth.connectedApps,
    encryption: new EncryptionRotation({ db, keyring, notices, source: config }),
    gateway,
    notices,
    signIn,
    backups,
    placed,
    simulators: sandbox,
    faultKinds: FAULT_KINDS,
  });
  const resources = opened.move();
  let deadlineMs = 0;
  resources.defer(() => notices.stop());
  return {
    config,
    log,
    clock,
    metrics,
    tracing,
    database,
    notices,
    authentication,
    v2Authentication,
    mcpAuthentication,
    apiKeyAuthenticator,
    bridgeAuthentication,
    bridgeAppAuthenticator,
    signIn,
    oauth,
    notifying,
    rateLimits,
    services,
    gateway,
    linking,
    hostedDestinationLinks: destinations.hostedDestinationLinks,
    accountRemoval,
    documentRetention: documentFeatures.documentRetention,
    operator,
    sandbox,
    sandboxPages: integrations.flatMap(({ row, simulator }) => {
      const running = sandbox?.reached.get(row.name);
      if (simulator === null || running === undefined) return [];
      return [{ path: sandboxPath(simulator), pages: simulator.pages, simulatorUrl: running.url, http }];
    }),
    integrations,
    placed,
    start: async (roles) => {
      await notices.start();
      const parts: BackgroundParts = {
        ...shared,
        ...documentFeatures,
        ...eventFeatures,
        ...notifying,
        backups,
        tracing,
        database,
        idempotency: services.idempotency,
        changes: services.changes,
        authenticators: [
          apiKeyAuthenticator,
          bridgeAppAuthenticator,
          sessionAuthenticator,
          v2TokenAuthenticator,
          mcpTokenAuthenticator,
        ],
        rateLimits,
        signInSweep: { run: signIn.sweep },
        oauthSweep: oauth.sweep,
        upkeep,
        linking,
        grantRevocations: destinations.grantRevocations,
        accountRemoval,
        syncRuns: syncs.syncRuns,
        syncEngine,
      };
      resources.use(await startBackgroundWork(parts, roles, () => deadlineMs));
    },
    stop: async (withinMs) => {
      deadlineMs = withinMs;
      database.hurry(Math.min(deadlineMs, STOPPING_MS));
      await resources.disposeAsync();
    },
  };
}

/** Loaded only if there are traces. */
async function openTracing(
  { traces }: Config,
  parts: { readonly log: Log; readonly metrics: Metrics },
): Promise<OpenTracing | null> {
  if (traces === null) return null;
  const { TraceRecorder } = await import('../platform/trace-recorder.ts');
  return new TraceRecorder({ ...traces, ...parts });
}

/** Loaded only if mail is sent, since it takes some 20 MB. */
async function openMailer({ mail }: Config): Promise<Mailer | null> {
  if (mail === null) return null;
  const { Mailer } = await import('../platform/mailer.ts');
  return new Mailer(mail.server, mail.from);
}
