import type { PreparedSimulator, SimulatedPerson } from '../shared/simulator.ts';
import {
  type SimulatorOptions,
  SimulatorTools,
  type StartedSimulator,
  startSimulator,
} from '../shared/start-simulator.ts';
import { AuthSessions } from './auth-session.ts';
import { Balances } from './balances.ts';
import { Bank } from './bank.ts';
import { Consents } from './consents.ts';
import { AuBankingControl } from './control.ts';
import { CONTROL_ROUTES } from './control-routes.ts';
import { DataFreshness } from './data-freshness.ts';
import type { BankDataset } from './dataset/bank-dataset.ts';
import { readBankData } from './dataset/load.ts';
import { EndUsers } from './end-users.ts';
import { Institutions, SANDBOX_INSTITUTION_NAME } from './institutions.ts';
import { type NotificationOptions, Notifications } from './notifications.ts';
import { ConsentPages } from './pages.ts';
import { type Day, personaDays } from './personas/calendar.ts';
import { answering, routesOf } from './routes.ts';
import { SharedAccounts } from './shared-accounts.ts';
import { bankState } from './state.ts';
import { Tokens } from './token.ts';
import { Transactions } from './transactions.ts';
import { AU_BANKING_WIRE } from './wire.ts';

export interface AuBankingSimulatorOptions extends SimulatorOptions {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Banks of a data file, in addition to the persona banks. */
  readonly dataset?: BankDataset | undefined;
  /**
   * Sandbox time after a consent until its data is available; default 200 ms. Set 0 with a clock that does not advance.
   */
  readonly firstSyncDelayMs?: number;
  /** Additional sandbox time until rows older than 90 days are available; default 0. */
  readonly historySyncDelayMs?: number;
  /** Whether `GET /v1/data-freshness` exists, which older releases of the vendor's API lack; default true. */
  readonly dataFreshness?: boolean;
  /** The receiver of the vendor's notifications; default none. */
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

const CLIENT_ID = 'sandbox-client';
const CLIENT_SECRET = 'sandbox-secret';
const WEBHOOK_SECRET = Buffer.from('sandbox-webhook-secret').toString('base64');

/**
 * The simulator with the banks of a data file, if one is given.
 * @throws Error whose message says what is wrong with the file
 */
export async function prepareAuBanking(dataFile: string | null): Promise<PreparedSimulator> {
  const dataset = dataFile === null ? undefined : await readBankData(dataFile);
  return {
    demoPeople: (rows) => demoPeople(rows, dataset),
    start: async (place) => {
      const { clock, pagesUrl, stateFile, ports, webhooks } = place;
      const simulator = await startAuBankingSimulator({
        clientId: CLIENT_ID,
        clientSecret: CLIENT_SECRET,
        clock,
        pagesUrl,
        stateFile,
        ports,
        dataset,
        ...(webhooks && { webhooks: { ...webhooks, secret: WEBHOOK_SECRET } }),
      });
      const { control, url, controlUrl } = simulator;
      return {
        url,
        controlUrl,
        settings: {
          FISKIL_BASE_URL: url,
          FISKIL_CLIENT_ID: CLIENT_ID,
          FISKIL_CLIENT_SECRET: CLIENT_SECRET,
          FISKIL_WEBHOOK_SECRET: WEBHOOK_SECRET,
        },
        people: control,
        control,
        close: () => simulator.close(),
      };
    },
  };
}

function demoPeople(rows: number | null, dataset: BankDataset | undefined): readonly SimulatedPerson[] {
  if (rows !== null) return [{ bank: SANDBOX_INSTITUTION_NAME, customer: `rows:${rows}` }];
  if (dataset === undefined) return [{ bank: SANDBOX_INSTITUTION_NAME, customer: 'salaried-household' }];
  return dataset.holders.flatMap((holder) =>
    holder.customers
      .filter(({ accounts }) => accounts.length > 0)
      .map(({ customer }) => ({ bank: holder.name, customer })),
  );
}
