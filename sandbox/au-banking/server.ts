import {
  type SimulatorOptions,
  SimulatorTools,
  type StartedSimulator,
  startSimulator,
} from '../shared/start-simulator.ts';
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

export interface AuBankingSimulatorOptions extends SimulatorOptions {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Banks of a data file, beside the persona banks. */
  readonly dataset?: BankDataset | undefined;
  /** Sandbox time after a consent until its data is there; default 200 ms. Give 0 with a clock that stands still. */
  readonly firstSyncDelayMs?: number;
  /** Further sandbox time until rows older than 90 days are there; default 0. */
  readonly historySyncDelayMs?: number;
  /** Whether `GET /v1/data-freshness` exists, which older releases of the vendor's API lack; default true. */
  readonly dataFreshness?: boolean;
  /** Who receives the vendor's notifications; default nobody. */
  readonly webhooks?: NotificationOptions;
}

export interface AuBankingSimulator extends StartedSimulator<AuBankingControl> {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** Starts the simulator of the `au_banking` upstream: the vendor's API, its consent pages, and the control API. */
export async function startAuBankingSimulator(
  options: AuBankingSimulatorOptions,
): Promise<AuBankingSimulator> {
  const { clientId, clientSecret, dataset } = options;
  const tools = new SimulatorTools(options);
  const { now, seed, pagesUrl, faults, log, changed } = tools;
  const startedAt = now();
  let days: readonly Day[] | null = null;
  const bank = new Bank({ seed, startedAt, days: () => (days ??= personaDays(startedAt)) }, dataset);
  const users = new EndUsers(now);
  const institutions = new Institutions(clientId, dataset, pagesUrl);
  const consents = new Consents(users, institutions, now);
  const sessions = new AuthSessions(users, consents, institutions, { clientId, pagesUrl, now });
  const delays = { first: options.firstSyncDelayMs ?? 200, history: options.historySyncDelayMs ?? 0 };
  const shared = new SharedAccounts(bank, consents, delays, now);
  const tokens = new Tokens(clientId, clientSecret, now);
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
  const started = await startSimulator(tools, {
    routes: { wire: AU_BANKING_WIRE, ...answering(tokens, () => tools.url), routes },
    state: { kept: bankState(users, consents), saved: 'at_once', close: () => notifications.close() },
    control: { actions: control, routes: CONTROL_ROUTES },
  });
  return { ...started, clientId, clientSecret };
}
