import type { PreparedSimulator } from '../shared/simulator.ts';
import {
  type SimulatorOptions,
  SimulatorTools,
  type StartedSimulator,
  startSimulator,
} from '../shared/start-simulator.ts';
import { Banks } from './banks.ts';
import { NzBankingControl } from './control.ts';
import { CONTROL_ROUTES } from './control-routes.ts';
import { Credentials } from './credentials.ts';
import { refusal } from './errors.ts';
import { NotificationSender, SigningKey } from './notification-sender.ts';
import { ConsentPages } from './pages.ts';
import { routesOf } from './routes.ts';
import { type Day, daysAround } from './rows/calendar.ts';
import { SharedAccounts, World } from './shared-accounts.ts';
import { SignIns } from './sign-ins.ts';
import { nzBankingState } from './state.ts';
import { Transactions } from './transactions.ts';
import { UserCalls } from './user-calls.ts';
import { Users } from './users.ts';
import { Webhooks } from './webhooks.ts';
import { NZ_BANKING_WIRE } from './wire.ts';

export interface NzBankingSimulatorOptions extends SimulatorOptions {
  readonly appToken: string;
  readonly appSecret: string;
  /** Where notifications are sent; default nowhere, in which case subscriptions are impossible. */
  readonly webhookUrl?: string;
  /** Sandbox time after a sign-in until transactions are available; default none. */
  readonly firstSyncDelayMs?: number;
}

export interface NzBankingSimulator extends StartedSimulator<NzBankingControl> {
  /** The page on which people consent. */
  readonly oauthUrl: string;
  /** Waits until no notification is in flight. */
  notified(): Promise<void>;
}

/** Starts the simulator of the `nz_banking` upstream: the vendor's API, its consent pages, and the control API. */
export async function startNzBankingSimulator(
  options: NzBankingSimulatorOptions,
): Promise<NzBankingSimulator> {
  const { appToken, appSecret } = options;
  const tools = new SimulatorTools(options);
  const { now, seed, pagesUrl, faults, log, changed } = tools;
  const startedAt = now();
  let days: readonly Day[] | null = null;
  const banks = new Banks(pagesUrl);
  const users = new Users(now);
  const world = new World({ seed, startedAt, days: () => (days ??= daysAround(startedAt)) }, banks);
  const accounts = new SharedAccounts(users, banks, world, now, options.firstSyncDelayMs ?? 0);
  // Higher than any key of an earlier run, whose notifications may still be in flight.
  const key = new SigningKey(Math.floor(startedAt / 60_000));
  const sender = new NotificationSender(key, options.webhookUrl ?? null, now);
  const webhooks = new Webhooks(key, sender, now);
  const credentials = new Credentials({ appToken, appSecret }, users);
  const signIns = new SignIns(credentials, now);
  const control = new NzBankingControl(
    { users, accounts, webhooks, banks, sender, key, faults, log },
    now,
    changed,
  );
  const routes = routesOf({
    credentials,
    signIns,
    pages: new ConsentPages({ users, accounts, webhooks, signIns, banks }, pagesUrl),
    userCalls: new UserCalls({ users, banks, accounts, webhooks }, now),
    transactions: new Transactions(accounts),
    webhooks,
  });
  const started = await startSimulator(tools, {
    routes: {
      wire: NZ_BANKING_WIRE,
      routes,
      handle: (route, request) => route.handle(request),
      refuse: (error, route) => refusal(error, route?.kind === 'oauth'),
      expireToken: (authorization) => {
        const user = users.ofToken((authorization ?? '').replace(/^Bearer /, ''));
        if (user !== null) users.revoke(user);
      },
    },
    state: { kept: nzBankingState(users, webhooks), saved: 'at_once', close: () => sender.close() },
    control: { actions: control, routes: CONTROL_ROUTES },
  });
  return { ...started, oauthUrl: `${pagesUrl()}/oauth`, notified: () => sender.settled() };
}

const APP_TOKEN = 'app_token_sandbox';
const APP_SECRET = 'sandbox-secret';

/** The simulator. Bank data files have banks of another country: if one is given, the demo links no one here. */
export function prepareNzBanking(dataFile: string | null): PreparedSimulator {
  return {
    demoPeople: (rows) => {
      if (rows !== null) return [{ bank: null, customer: `rows:${rows}` }];
      return dataFile === null ? [{ bank: null, customer: 'salaried-household' }] : [];
    },
    start: async ({ clock, pagesUrl, stateFile, ports, webhooks }) => {
      const simulator = await startNzBankingSimulator({
        appToken: APP_TOKEN,
        appSecret: APP_SECRET,
        clock,
        pagesUrl,
        ...(webhooks && { webhookUrl: webhooks.url }),
        stateFile,
        ports,
      });
      const { control, url, oauthUrl, controlUrl } = simulator;
      return {
        url,
        controlUrl,
        settings: {
          AKAHU_BASE_URL: url,
          AKAHU_OAUTH_URL: oauthUrl,
          AKAHU_APP_TOKEN: APP_TOKEN,
          AKAHU_APP_SECRET: APP_SECRET,
        },
        people: control,
        control,
        close: () => simulator.close(),
      };
    },
  };
}
