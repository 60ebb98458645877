import { type SimulatorClock, SYSTEM_CLOCK } from '../shared/clock.ts';
import { Faults } from '../shared/faults.ts';
import { RequestLog } from '../shared/request-log.ts';
import { serveSimulator } from '../shared/serve-simulator.ts';
import type { SimulatorPorts } from '../shared/simulator.ts';
import { StateFile } from '../shared/state-file.ts';
import { answering } from './answering.ts';
import { AuthSessions } from './auth-session.ts';
import { Balances } from './balances.ts';
import { Bank } from './bank.ts';
import { bankState } from './bank-state.ts';
import { ConsentPages } from './consent-pages.ts';
import { Consents } from './consents.ts';
import { AuBankingControl } from './control.ts';
import { CONTROL_ROUTES } from './control-routes.ts';
import { DataFreshness } from './data-freshness.ts';
import type { BankDataset } from './dataset/bank-dataset.ts';
import { EndUsers } from './end-users.ts';
import { Institutions } from './institutions.ts';
import { type NotificationOptions, Notifications } from './notifications.ts';
import { type Day, personaDays } from './personas/calendar.ts';
import { routesOf } from './routes.ts';
import { SharedAccounts } from './shared-accounts.ts';
import { Tokens } from './token.ts';
import { Transactions } from './transactions.ts';
import { AU_BANKING_WIRE } from './wire.ts';

export type AuBankingSimulatorOptions = {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Address to bind; default 127.0.0.1. */
  readonly host?: string;
  /** Default: any that are free. */
  readonly ports?: SimulatorPorts | undefined;
  /** The vendor address clients use, where a proxy is in front; default the bound address. No trailing slash. */
  readonly publicUrl?: string;
  /** Where browsers reach the consent pages and logos, when something else serves them; default `publicUrl`. No trailing slash. */
  readonly pagesUrl?: string;
  /** Same seed, same people and rows; default 1. */
  readonly seed?: number;
  /** Sandbox time, epoch ms; default the system clock. Tokens, pending rows, consents and the first sync follow it. */
  readonly clock?: SimulatorClock;
  /** Banks of a data file, beside the persona banks. */
  readonly dataset?: BankDataset | undefined;
  /** Sandbox time after a consent until its data is there; default 200 ms. Give 0 with a clock that stands still. */
  readonly firstSyncDelayMs?: number;
  /** Further sandbox time until rows older than 90 days are there; default 0. */
  readonly historySyncDelayMs?: number;
  /** Whether `GET /v1/data-freshness` exists, which older releases of the vendor's API lack; default true. */
  readonly dataFreshness?: boolean;
  /** Where to keep end users and consents between runs; default nowhere. */
  readonly stateFile?: string;
  /** Who receives the vendor's notifications; default nobody. */
  readonly webhooks?: NotificationOptions;
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
  let url = options.publicUrl ?? '';
  const pagesUrl = (): string => options.pagesUrl ?? url;
  const institutions = new Institutions(clientId, dataset, pagesUrl);
  const consents = new Consents(users, institutions, now);
  const sessions = new AuthSessions(users, consents, institutions, { clientId, pagesUrl, now });
  const delays = { first: options.firstSyncDelayMs ?? 200, history: options.historySyncDelayMs ?? 0 };
  const shared = new SharedAccounts(bank, consents, delays, now);
  const tokens = new Tokens(clientId, clientSecret, now);
  const faults = new Faults(seed);
  const log = new RequestLog();
  const state =
    options.stateFile === undefined ? null : new StateFile(options.stateFile, bankState(users, consents));
  state?.load();
  const changed = (): void => state?.save();
  const notifications = new Notifications(
    { consents, clientId, now, readyAt: (consent) => shared.readyAt(consent) },
    options.webhooks ?? null,
  );
  const parts = { bank, users, consents, institutions, notifications, faults, log };
  const control = new AuBankingControl(parts, now, changed);
  const routes = routesOf({
    tokens,
    users,
    sessions,
    institutions,
    consents,
    freshness: new DataFreshness(consents, shared, options.dataFreshness ?? true, now),
    shared,
    pages: new ConsentPages(sessions, consents, institutions, bank, pagesUrl),
    balances: new Balances(shared, institutions, now),
    transactions: new Transactions(shared, bank, now),
  });
  const served = await serveSimulator({
    vendor: {
      wire: AU_BANKING_WIRE,
      ...answering(tokens, () => url),
      routes,
      faults,
      log,
      now,
      changed,
    },
    control,
    controlRoutes: CONTROL_ROUTES,
    host,
    ports: options.ports,
    ended: async () => {
      await notifications.close();
      state?.save();
    },
  });
  url ||= served.url;
  return {
    url,
    controlUrl: served.controlUrl,
    clientId,
    clientSecret,
    control,
    close: served.close,
  };
}
