import { startIdempotencyWork } from './background/idempotency-keys.ts';
import { startKeyUse } from './background/key-use.ts';
import { startLinkingWork } from './background/linking-work.ts';
import { startRateLimitSweep } from './background/rate-limit-sweep.ts';
import { startSyncingWork } from './background/syncing-work.ts';
import { buildGateway } from './build-gateway.ts';
import type { DestinationConnector } from './connectors/destinations/destination-contract.ts';
import { AccountMemory } from './features/account-memory.ts';
import { AccountReads } from './features/account-reads.ts';
import { AccountRecords } from './features/account-records.ts';
import { ApiKeys } from './features/api-keys.ts';
import { Authentication } from './features/authentication.ts';
import { Categories } from './features/categories.ts';
import { disableSyncsOfConnection } from './features/connection-syncs.ts';
import { createDataReads } from './features/data-reads.ts';
import { type EventTrigger, noEvents } from './features/event-trigger.ts';
import { Idempotency } from './features/idempotency.ts';
import { createLinking, type Linking } from './features/linking.ts';
import { openGatewayCache } from './features/provider-gateway/open-cache.ts';
import type { ProviderGateway } from './features/provider-gateway/provider-gateway.ts';
import { openRateLimits } from './features/rate-limits/open-rate-limits.ts';
import type { RateLimits } from './features/rate-limits/rate-limits.ts';
import { RulesetPreview } from './features/ruleset-preview.ts';
import { createSyncing, type Syncing } from './features/syncing.ts';
import { Taxonomies } from './features/taxonomies.ts';
import { AddressGuard } from './platform/address-guard.ts';
import type { Clock } from './platform/clock.ts';
import type { Config, Role } from './platform/config.ts';
import { loadKeyring } from './platform/keyring.ts';
import type { Log } from './platform/log.ts';
import { Metrics } from './platform/metrics.ts';
import { OutgoingHttp } from './platform/outgoing-http.ts';
import { Sealer } from './platform/sealing.ts';
import { auBankingSettings, type Sandbox, startSandbox } from './sandbox-mode.ts';
import { type OpenDatabase, openDatabase } from './storage/database.ts';
import { Jobs } from './storage/jobs.ts';
import { migrate } from './storage/migrator.ts';
import { Notices } from './storage/notices.ts';
import { PageTokens } from './surfaces/v2/page-tokens.ts';
import type { Services } from './surfaces/v2/services.ts';
import { rowId } from './vocabulary/ids.ts';

export interface Parts {
  readonly log: Log;
  readonly clock: Clock;
  /** Told of every change of state; nobody without it. */
  readonly events?: EventTrigger;
  readonly dataset?: Parameters<typeof startSandbox>[2];
  /** Further kinds of destination, for tests of what all kinds share. */
  readonly connectors?: (http: OutgoingHttp) => readonly DestinationConnector[];
}

/** Everything the service is made of, built once and handed on explicitly; no HTTP server and no work under way yet. */
export interface App {
  readonly config: Config;
  readonly log: Log;
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly database: OpenDatabase;
  readonly jobs: Jobs;
  readonly notices: Notices;
  readonly authentication: Authentication;
  readonly rateLimits: RateLimits;
  readonly services: Services;
  readonly gateway: ProviderGateway;
  readonly linking: Linking;
  readonly syncing: Syncing;
  readonly sandbox: Sandbox | null;
  /** Starts what works by itself: notices and the queue always, and the background work of the roles. */
  start(roles: readonly Role[]): Promise<void>;
  /** Ends background work within the deadline, then closes everything build opened. */
  stop(deadlineMs: number): Promise<void>;
}

/** Opens storage, migrates it and builds every feature once. Raises what storage raises when it cannot be opened. */
export async function build(config: Config, parts: Parts): Promise<App> {
  const { log, clock, events = noEvents } = parts;
  const keyring = await loadKeyring({ encryptionKey: config.encryptionKey, dataDir: config.dataDir });
  const database = await openStorage(config);
  const { db } = database;
  await migrate(db);
  const sandbox = config.sandbox ? await startSandbox(config, clock, parts.dataset) : null;
  const metrics = new Metrics({ process: true });
  const jobs = new Jobs(database, (error) => log.error('The job queue reported an error.', {}, error));
  const notices = new Notices(database);
  const auBanking = auBankingSettings(config, sandbox);
  const guard = new AddressGuard(config.outboundAllow);
  const http = new OutgoingHttp({
    guard,
    trustedOrigins: auBanking === null ? [] : [new URL(auBanking.baseUrl).origin],
  });
  const cache = await openGatewayCache({
    redisUrl: config.redisUrl,
    sealer: new Sealer(keyring, 'gateway-cache'),
    clock,
    limits: config.limits,
    log,
  });
  const gateway = buildGateway({ config, log, clock, metrics, http, cache, auBanking });
  const linking = createLinking({
    db,
    clock,
    limits: config.limits,
    keyring,
    gateway,
    jobs,
    notices,
    hooks: {
      onConnectionRevoked: (trx, owner, connection) =>
        disableSyncsOfConnection(trx, owner, connection, new Date(clock.now()), events),
    },
    events,
    publicUrl: config.publicUrl,
    appUrl: config.appUrl,
  });
  // Every process forgets what it keeps of a connection that any process revoked.
  notices.onNotice(({ kind, id }) => {
    if (kind !== 'connection') return;
    gateway
      .purge(rowId('connection', id))
      .catch((error: unknown) => log.warn('The cache of a revoked connection was not purged.', {}, error));
  });
  notices.onLost(() => cache.forgetOwn());
  const taxonomies = new Taxonomies({ db, clock, notices });
  const syncing = createSyncing({
    db,
    clock,
    limits: config.limits,
    log,
    keyring,
    http,
    guard,
    jobs,
    accounts: linking.accounts,
    gateway,
    events,
    taxonomies,
    publicUrl: config.publicUrl,
    connectors: parts.connectors?.(http) ?? [],
  });
  const rateLimits = await openRateLimits({
    redisUrl: config.redisUrl,
    database,
    keyring,
    limits: config.limits,
    clock,
    log,
  });
  const authentication = new Authentication({ db, clock, notices, attempts: rateLimits.attempts });
  let stopSweep = async (): Promise<void> => undefined;
  let stopIdempotencyWork = async (): Promise<void> => undefined;
  let stopKeyUse = async (): Promise<void> => undefined;
  let stopLinkingWork = async (): Promise<void> => undefined;
  let stopSyncingWork = async (_deadlineMs: number): Promise<void> => undefined;
  const accountReads = new AccountReads({
    accounts: linking.accounts,
    gateway,
    memory: new AccountMemory({ clock, notices }),
    clock,
    limits: config.limits,
    categories: async (owner) => (await taxonomies.of(owner)).categoryOf,
  });
  const services: Services = {
    ...linking,
    ...syncing,
    ...createDataReads({ accounts: linking.accounts, gateway, clock, limits: config.limits }),
    clock,
    limits: config.limits,
    publicUrl: config.publicUrl,
    pageTokens: new PageTokens(new Sealer(keyring, 'page-token')),
    accountRecords: new AccountRecords({ db, clock, notices }),
    apiKeys: new ApiKeys({ db, clock, notices, limits: config.limits, events }),
    categories: new Categories({ db, clock, limits: config.limits, notices }),
    idempotency: new Idempotency({ db, clock, limits: config.limits, log, keyring }),
    accountReads,
    rulesetPreview: new RulesetPreview({ db, limits: config.limits, accountReads, taxonomies }),
  };
  return {
    config,
    log,
    clock,
    metrics,
    database,
    jobs,
    notices,
    authentication,
    rateLimits,
    services,
    gateway,
    linking,
    syncing,
    sandbox,
    start: async (roles) => {
      await notices.start();
      await jobs.start();
      const { idempotency } = services;
      const alone = database.kind === 'embedded';
      stopIdempotencyWork = await startIdempotencyWork({ clock, log, idempotency, alone }, roles);
      stopKeyUse = startKeyUse({ clock, log, authentication }, roles);
      stopSweep = startRateLimitSweep({ clock, log, rateLimits }, roles);
      stopLinkingWork = await startLinkingWork({ db, clock, jobs, log, linking }, roles);
      stopSyncingWork = await startSyncingWork(
        { database, clock, limits: config.limits, log, jobs, syncing },
        roles,
      );
    },
    stop: async (deadlineMs) => {
      await stopSyncingWork(deadlineMs);
      await stopLinkingWork();
      await stopKeyUse();
      await stopIdempotencyWork();
      await stopSweep();
      await jobs.stop(deadlineMs);
      await notices.stop();
      await http.close();
      await cache.close();
      await rateLimits.close();
      await sandbox?.close();
      await database.close();
    },
  };
}

function openStorage(config: Config): Promise<OpenDatabase> {
  return openDatabase(
    config.databaseUrl === null
      ? { kind: 'embedded', dataDir: config.dataDir }
      : { kind: 'postgres', url: config.databaseUrl },
  );
}
