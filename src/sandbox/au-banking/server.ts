import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AuthSessions } from './auth-session.ts';
import { Balances } from './balances.ts';
import { Bank } from './bank.ts';
import { ConsentPages } from './consent-pages.ts';
import { Consents } from './consents.ts';
import { AuBankingControl } from './control.ts';
import { serveControl } from './control-api.ts';
import type { BankDataset } from './dataset/bank-dataset.ts';
import { EndUsers } from './end-users.ts';
import { Faults } from './faults.ts';
import { Institutions } from './institutions.ts';
import { type Day, personaDays } from './personas/calendar.ts';
import { RequestLog } from './request-log.ts';
import { routesOf } from './routes.ts';
import { SharedAccounts } from './shared-accounts.ts';
import { StateFile } from './state-file.ts';
import { Tokens } from './token.ts';
import { Transactions } from './transactions.ts';
import { serveVendor } from './vendor-http.ts';

export type AuBankingSimulatorOptions = {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Address to bind; default 127.0.0.1. */
  readonly host?: string;
  /** Vendor port; default 0 = any free one. */
  readonly port?: number;
  /** Control port on the same address; default 0. */
  readonly controlPort?: number;
  /** The vendor address clients use, where a proxy stands in front; default the bound address. No trailing slash. */
  readonly publicUrl?: string;
  /** Same seed, same people and rows; default 1. */
  readonly seed?: number;
  /** Sandbox time, epoch ms; default the system clock. Tokens, pending rows, consents and the first sync follow it. */
  readonly clock?: { now(): number };
  /** Banks of a data file, beside the persona banks. */
  readonly dataset?: BankDataset | undefined;
  /** Sandbox time after a consent until its data is there; default 200 ms. Give 0 with a clock that stands still. */
  readonly firstSyncDelayMs?: number;
  /** Further sandbox time until rows older than 90 days are there; default 0. */
  readonly historySyncDelayMs?: number;
  /** Where to keep end users and consents between runs; default nowhere. */
  readonly stateFile?: string;
};

export type AuBankingSimulator = {
  /** Base URL of the vendor's API and hosted pages, without a trailing slash. */
  readonly url: string;
  readonly controlUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly control: AuBankingControl;
  close(): Promise<void>;
};

const SYSTEM_CLOCK = { now: (): number => Date.now() };

/** Starts the simulator of the `au_banking` upstream: the vendor's API, its consent pages, and the control API. */
export async function startAuBankingSimulator(
  options: AuBankingSimulatorOptions,
): Promise<AuBankingSimulator> {
  const { clientId, clientSecret, host = '127.0.0.1', seed = 1, clock = SYSTEM_CLOCK, dataset } = options;
  const now = (): number => clock.now();
  const startedAt = now();
  let days: readonly Day[] | null = null;
  const bank = new Bank({ seed, startedAt, days: () => (days ??= personaDays(startedAt)) }, dataset);
  const users = new EndUsers(now);
  const institutions = new Institutions(clientId, dataset);
  const consents = new Consents(users, institutions, now);
  const sessions = new AuthSessions(users, consents, institutions, clientId, now);
  const delays = { first: options.firstSyncDelayMs ?? 200, history: options.historySyncDelayMs ?? 0 };
  const shared = new SharedAccounts(bank, consents, delays, now);
  const tokens = new Tokens(clientId, clientSecret, now);
  const faults = new Faults(seed);
  const log = new RequestLog();
  const state = options.stateFile === undefined ? null : new StateFile(options.stateFile, users, consents);
  state?.load();
  const changed = (): void => state?.save();
  const control = new AuBankingControl({ bank, consents, institutions, faults, log }, now, changed);
  const closing = new AbortController();
  let url = options.publicUrl ?? '';
  const routes = routesOf({
    tokens,
    users,
    sessions,
    institutions,
    consents,
    shared,
    pages: new ConsentPages(sessions, consents, institutions, bank, () => url),
    balances: new Balances(shared, institutions, now),
    transactions: new Transactions(shared, bank, now),
  });
  const http = {
    routes,
    faults,
    log,
    tokens,
    now,
    changed,
    pinnedVersion: 'v3',
    baseUrl: () => url,
    closing: closing.signal,
  } as const;
  const vendor = await listen(
    (request, response) => serveVendor(http, request, response),
    host,
    options.port ?? 0,
  );
  url ||= addressOf(vendor, host);
  const controlServer = await listen(
    (request, response) => serveControl(control, request, response),
    host,
    options.controlPort ?? 0,
  );
  return {
    url,
    controlUrl: addressOf(controlServer, host),
    clientId,
    clientSecret,
    control,
    close: async () => {
      closing.abort();
      await Promise.all([vendor, controlServer].map(shut));
      state?.save();
    },
  };
}

type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** A request that fails half way loses its connection, never the process. */
function listen(handler: Handler, host: string, port: number): Promise<Server> {
  const server = createServer((request, response) => {
    handler(request, response).catch(() => response.destroy());
  });
  // Longer than any client keeps an idle connection, so that none is closed under a request.
  server.keepAliveTimeout = 75_000;
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve(server));
  });
}

function addressOf(server: Server, host: string): string {
  const address: AddressInfo | string | null = server.address();
  const port = address !== null && typeof address === 'object' ? address.port : 0;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

function shut(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
