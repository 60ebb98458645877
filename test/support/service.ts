import { rm } from 'node:fs/promises';
import { closeAfterLastFile } from '../../scripts/lib/suites/shared-by-files.ts';
import type { App, Parts } from '../../src/app/build.ts';
import { readConfig } from '../../src/app/read-config.ts';
import { type Running, serve } from '../../src/app/serve.ts';
import { type Clock, systemClock } from '../../src/platform/clock.ts';
import { type Config, withBoundPort } from '../../src/platform/config.ts';
import { freePort } from '../../src/platform/free-port.ts';
import { createLog } from '../../src/platform/log.ts';
import type { AccountRecord } from '../../src/storage/account-records.ts';
import { SCOPES, type Scope } from '../../src/vocabulary/scopes.ts';
import { createServerDatabase } from './database.ts';
import { adjustable } from './read-deadline.ts';
import { seedDataDir } from './schema-template.ts';
import { scratchDirectory } from './scratch.ts';
import { type V2Client, v2Client } from './v2-client.ts';

export interface TestService {
  readonly url: string;
  readonly metricsUrl: string | null;
  readonly app: App;
  readonly dataDir: string;
  /** A new account record with a key that holds the scopes, all by default. */
  owner(scopes?: readonly Scope[]): Promise<TestOwner>;
  /** Stops it and starts it again on the same data, at another address. Only the one returned is to be closed. */
  restart(): Promise<TestService>;
  close(): Promise<void>;
}

export interface TestOwner {
  readonly record: AccountRecord;
  readonly key: string;
  readonly v2: V2Client;
}

/** Suites ask as fast as they can; those about rate limits set their own. A slow machine is no outage of the store. */
const UNHURRIED = {
  LIMIT_RATE_CHEAP: '1000000',
  LIMIT_RATE_MID: '1000000',
  LIMIT_RATE_HEAVY: '1000000',
  LIMIT_RATE_MUTATING: '1000000',
  LIMIT_RATE_BRIDGE: '1000000',
  LIMIT_RATE_HANDSHAKE: '1000000',
  LIMIT_RATE_SESSION_CHEAP: '1000000',
  LIMIT_RATE_SESSION_MID: '1000000',
  LIMIT_RATE_SESSION_HEAVY: '1000000',
  LIMIT_RATE_SESSION_MUTATING: '1000000',
  LIMIT_HEAVY_IN_FLIGHT: '10000',
  LIMIT_SESSION_HEAVY_IN_FLIGHT: '10000',
  LIMIT_AUTH_FAILURES: '1000000',
  LIMIT_AUTH_ATTEMPTS: '1000000',
  LIMIT_SESSION_REQUESTS: '1000000',
  LIMIT_HOSTED_ADDRESS: '1000000',
  LIMIT_HOSTED_LINK: '1000000',
  LIMIT_OAUTH_ADDRESS: '1000000',
  LIMIT_OAUTH_REGISTRATIONS: '1000000',
  LIMIT_SIGN_IN_ATTEMPTS: '1000000',
  LIMIT_SIGN_IN_ADDRESS_ATTEMPTS: '1000000',
  LIMIT_SIGN_IN_ACCOUNT_ATTEMPTS: '1000000',
  LIMIT_COUNT_STORE_DEADLINE_MS: '30000',
  LIMIT_UNATTENDED_READS: '1000',
};

/** A bank that is away ends a run at once; suites about runs that wait for one set their own. */
const IMPATIENT = { LIMIT_RUN_RETRY_SECONDS: '0' };

/** The whole service in sandbox mode on a free port: embedded database, or a fresh one on DATABASE_URL. `LOG_LEVEL` is silent by default. */
export async function startService(
  environment: Record<string, string> = {},
  parts: Pick<Parameters<typeof createLog>[0], 'destination'> &
    Pick<Parts, 'connectors' | 'events' | 'installation' | 'integrations'> & { readonly clock?: Clock } = {},
): Promise<TestService> {
  const dataDir = await scratchDirectory();
  const server = await createServerDatabase();
  if (server === null) await seedDataDir(dataDir);
  const { clock = systemClock, connectors, events, installation, integrations, ...logTo } = parts;
  const settings = {
    DATA_DIR: dataDir,
    PORT: '0',
    LOG_LEVEL: 'silent',
    SHUTDOWN_SECONDS: '5',
    OUTBOUND_ALLOW: '127.0.0.0/8',
    ...UNHURRIED,
    ...IMPATIENT,
    ...(server === null ? {} : { DATABASE_URL: server.url }),
    ...(process.env.REDIS_URL === undefined ? {} : { REDIS_URL: process.env.REDIS_URL }),
    ...environment,
  };
  const read = readConfig(settings, integrations);
  const config = { ...read, limits: adjustable(read.limits) };
  const log = createLog({ level: config.logLevel, ...logTo });
  let owners = 0;
  const start = async (): Promise<TestService> =>
    running(
      await serveSomewhere(config, {
        log,
        clock,
        ...(connectors && { connectors }),
        ...(events && { events }),
        ...(installation && { installation }),
        ...(integrations && { integrations }),
      }),
    );
  const running = ({ url, metricsUrl, app, close }: Running): TestService => ({
    url,
    metricsUrl,
    app,
    dataDir,
    owner: async (scopes = SCOPES) => {
      owners += 1;
      const record = await app.services.accountRecords.create({
        email: `owner${owners}@example.test`,
        timezone: 'Australia/Sydney',
      });
      const { secret } = await app.services.apiKeys.create(record.id, { name: 'test', scopes }, null);
      return { record, key: secret, v2: v2Client(url, secret) };
    },
    restart: async () => {
      await close();
      return start();
    },
    close: async () => {
      await close();
      await rm(dataDir, { recursive: true, force: true });
      await server?.drop();
    },
  });
  return start();
}

let common: Promise<TestService> | null = null;
let leftToOthers = false;

/**
 * A service with the usual settings that test files of a process use one after another: for those that keep to owners
 * of their own and change nothing else about it. `close` leaves it to the next file, if there may be one.
 */
export async function commonService(): Promise<TestService> {
  common ??= startService();
  return {
    ...(await common),
    close: async () => {
      leftToOthers ||= closeAfterLastFile(closeCommon);
      if (!leftToOthers) await closeCommon();
    },
  };
}

async function closeCommon(): Promise<void> {
  await (await common)?.close();
  common = null;
}

/** Between looking for a free port and taking it, another test may have taken it. */
async function serveSomewhere(config: Config, parts: Parts): Promise<Running> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await serve(withBoundPort(config, await freePort('127.0.0.1')), parts);
    } catch (error) {
      const taken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
      if (!taken || attempt === 3) throw error;
    }
  }
}
