import type { PreparedSimulator } from '../shared/simulator.ts';
import {
  type SimulatorOptions,
  SimulatorTools,
  type StartedSimulator,
  startSimulator,
} from '../shared/start-simulator.ts';
import { Accounts } from './accounts.ts';
import { answering, RequestRate } from './answering.ts';
import { Authorizations } from './authorizations.ts';
import { Brokers } from './brokers.ts';
import { Connections } from './connections.ts';
import { BrokerageControl, type BrokerageSettings } from './control.ts';
import { CONTROL_ROUTES } from './control-routes.ts';
import { Investors } from './investors.ts';
import { PortalPages } from './pages.ts';
import { PERSONAS } from './personas/catalog.ts';
import type { Persona } from './personas/plan.ts';
import { PortalSessions } from './portal-sessions.ts';
import { routesOf } from './routes.ts';
import { brokerageState } from './state.ts';
import { Users } from './users.ts';
import { Webhooks } from './webhooks.ts';
import { BROKERAGE_WIRE } from './wire.ts';

const STANDARD: BrokerageSettings = {
  firstSyncDelayMs: 200,
  holdingsDelayMs: 0,
  tradesDelayMs: 0,
  connectDelayMs: 0,
  deletionDelayMs: 200,
  requestsPerMinute: 250,
  accountRequestsPerMinute: 10,
};

export interface BrokerageSimulatorOptions extends SimulatorOptions {
  readonly clientId: string;
  readonly consumerKey: string;
  /** A key for its owner's own accounts; default false. */
  readonly personal?: boolean;
  /** Whether positions are paged, as in a newer description; default false. */
  readonly pagedPositions?: boolean;
  /** Differences from the vendor's behaviour. With a clock that does not advance, delays never end. */
  readonly settings?: Partial<BrokerageSettings>;
  /** Who can sign in; default: the people of docs/sandbox.md. */
  readonly personas?: readonly Persona[];
  /** Where notifications go; default nowhere. */
  readonly webhookUrl?: string;
}

export type BrokerageSimulator = StartedSimulator<BrokerageControl>;

/** Starts the simulator of the `brokerage` upstream: the vendor's API, its hosted pages, and the control API. */
export async function startBrokerageSimulator(
  options: BrokerageSimulatorOptions,
): Promise<BrokerageSimulator> {
  const { clientId, consumerKey, personal = false } = options;
  const tools = new SimulatorTools(options);
  const { now, pagesUrl, faults, log, changed } = tools;
  const settings = { ...STANDARD, ...options.settings };
  const deletionDelayMs = () => settings.deletionDelayMs;
  const webhooks = new Webhooks({
    clientId,
    consumerKey,
    now,
    url: options.webhookUrl ?? null,
  });
  const brokers = new Brokers();
  const investors = new Investors(now(), options.personas ?? PERSONAS);
  const connections: Connections = new Connections(brokers, investors, {
    now,
    pagesUrl,
    firstSyncDelayMs: () => settings.firstSyncDelayMs,
    holdingsDelayMs: () => settings.holdingsDelayMs,
    tradesDelayMs: () => settings.tradesDelayMs,
    connectDelayMs: () => settings.connectDelayMs,
    deletionDelayMs,
  });
  const users = new Users({
    personal,
    now,
    deletionDelayMs,
    onDeletion: (user) => {
      for (const connection of connections.of(user)) connections.remove(connection);
      webhooks.send({ eventType: 'USER_DELETED', userId: user.userId });
    },
  });
  const authorizations = new Authorizations(connections, {
    personal,
    now,
    notify: (notice) => webhooks.send(notice),
  });
  const sessions = new PortalSessions(users, connections, brokers, { pagesUrl, now });
  const pages = new PortalPages({
    sessions,
    users,
    connections,
    brokers,
    investors,
    pagesUrl,
    onConnected: (connection, again) =>
      authorizations.notify(again ? 'CONNECTION_FIXED' : 'CONNECTION_ADDED', connection),
  });
  const accounts = new Accounts(connections, { now, pagedPositions: options.pagedPositions ?? false });
  const parts = { users, connections, brokers, investors, authorizations, webhooks };
  const control = new BrokerageControl({ ...parts, settings, faults, log, now, changed });
  return startSimulator(tools, {
    routes: {
      wire: BROKERAGE_WIRE,
      ...answering({
        clientId,
        consumerKey,
        personal,
        users,
        rate: new RequestRate(now),
        now,
        mostRequests: () => settings.requestsPerMinute,
        mostOfAccount: () => settings.accountRequestsPerMinute,
      }),
      routes: routesOf({ users, sessions, pages, authorizations, accounts, brokers, pagesUrl, now }),
    },
    state: { kept: brokerageState(users, connections), saved: 'at_once', close: () => webhooks.close() },
    control: { actions: control, routes: CONTROL_ROUTES },
  });
}

const CLIENT_ID = 'sandbox-client';
const CONSUMER_KEY = 'sandbox-consumer-key';

/** The simulator, which serves no data files, as those are for banks. */
export async function prepareBrokerage(): Promise<PreparedSimulator> {
  return {
    demoPeople: (rows) => [{ bank: null, customer: rows === null ? 'self-directed' : `rows:${rows}` }],
    start: async ({ clock, pagesUrl, stateFile, ports, webhooks }) => {
      const simulator = await startBrokerageSimulator({
        clientId: CLIENT_ID,
        consumerKey: CONSUMER_KEY,
        clock,
        pagesUrl,
        stateFile,
        ports,
        ...(webhooks?.automatic && { webhookUrl: webhooks.url }),
      });
      const { url, controlUrl, control } = simulator;
      return {
        url,
        controlUrl,
        settings: {
          SNAPTRADE_BASE_URL: url,
          SNAPTRADE_CLIENT_ID: CLIENT_ID,
          SNAPTRADE_CONSUMER_KEY: CONSUMER_KEY,
          SNAPTRADE_KEY_TYPE: 'commercial',
        },
        people: control,
        control,
        close: () => simulator.close(),
      };
    },
  };
}
