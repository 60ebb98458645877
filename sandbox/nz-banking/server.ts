import { SYSTEM_CLOCK } from '../shared/clock.ts';
import { Faults } from '../shared/faults.ts';
import { RequestLog } from '../shared/request-log.ts';
import { type SimulatorOptions, serveSimulator } from '../shared/serve-simulator.ts';
import { StateFile } from '../shared/state-file.ts';
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

export type NzBankingSimulator = {
  /** Base URL of the vendor's API, without a trailing slash. */
  readonly url: string;
  /** The page on which people consent. */
  readonly oauthUrl: string;
  readonly controlUrl: string;
  readonly control: NzBankingControl;
  /** Waits until no notification is under way any more. */
  notified(): Promise<void>;
  close(): Promise<void>;
};

/** Starts the simulator of the `nz_banking` upstream: the vendor's API, its consent pages, and the control API. */
export async function startNzBankingSimulator(
  options: NzBankingSimulatorOptions,
): Promise<NzBankingSimulator> {
  const { appToken, appSecret, host = '127.0.0.1', seed = 1, clock = SYSTEM_CLOCK } = options;
  const now = (): number => clock.now();
  const startedAt = now();
  let days: readonly Day[] | null = null;
  let url = '';
  const pagesUrl = (): string => options.pagesUrl ?? url;
  const banks = new Banks(pagesUrl);
  const users = new Users(now);
  const world = new World({ seed, startedAt, days: () => (days ??= daysAround(startedAt)) }, banks);
  const accounts = new SharedAccounts(users, banks, world, now, options.firstSyncDelayMs ?? 0);
  // Above every key of an earlier run, whose notifications may still be on their way.
  const key = new SigningKey(Math.floor(startedAt / 60_000));
  const sender = new NotificationSender(key, options.webhookUrl ?? null, now);
  const webhooks = new Webhooks(key, sender, now);
  const faults = new Faults(seed);
  const log = new RequestLog();
  const state =
    options.stateFile === undefined
      ? null
      : new StateFile(options.stateFile, nzBankingState(users, webhooks));
  state?.load();
  const changed = (): void => state?.save();
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
  const served = await serveSimulator({
    vendor: {
      wire: NZ_BANKING_WIRE,
      routes,
      faults,
      log,
      now,
      changed,
      handle: (route, request) => route.handle(request),
      refuse: (error, route) => refusal(error, route?.kind === 'oauth'),
      expireToken: (authorization) => {
        const user = users.ofToken((authorization ?? '').replace(/^Bearer /, ''));
        if (user !== null) users.revoke(user);
      },
    },
    control,
    controlRoutes: CONTROL_ROUTES,
    host,
    ports: options.ports,
    ended: async () => {
      await sender.close();
      state?.save();
    },
  });
  url = served.url;
  return {
    url,
    oauthUrl: `${pagesUrl()}/oauth`,
    controlUrl: served.controlUrl,
    control,
    notified: () => sender.settled(),
    close: served.close,
  };
}
