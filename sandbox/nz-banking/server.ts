import {
  type SimulatorOptions,
  SimulatorTools,
  type StartedSimulator,
  startSimulator,
} from '../shared/start-simulator.ts';
import { refusal } from './answers.ts';
import { Banks } from './banks.ts';
import { ConsentPages } from './consent-pages.ts';
import { NzBankingControl } from './control.ts';
import { CONTROL_ROUTES } from './control-routes.ts';
import { Credentials } from './credentials.ts';
import { NotificationSender } from './notification-sender.ts';
import { routesOf } from './routes.ts';
import { SharedAccounts } from './shared-accounts.ts';
import { SignIns } from './sign-ins.ts';
import { SigningKey } from './signing-key.ts';
import { nzBankingState } from './state.ts';
import { type Day, daysAround } from './statement/calendar.ts';
import { Transactions } from './transactions.ts';
import { UserCalls } from './user-calls.ts';
import { Users } from './users.ts';
import { Webhooks } from './webhooks.ts';
import { NZ_BANKING_WIRE } from './wire.ts';
import { World } from './world.ts';

export interface NzBankingSimulatorOptions extends SimulatorOptions {
  readonly appToken: string;
  readonly appSecret: string;
  /** Where notifications are sent; default nowhere, and then none can be subscribed to. */
  readonly webhookUrl?: string;
  /** Sandbox time after a sign-in until transactions are there; default none. */
  readonly firstSyncDelayMs?: number;
}

export interface NzBankingSimulator extends StartedSimulator<NzBankingControl> {
  /** The page on which people consent. */
  readonly oauthUrl: string;
  /** Waits until no notification is under way any more. */
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
  // Above every key of an earlier run, whose notifications may still be on their way.
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
