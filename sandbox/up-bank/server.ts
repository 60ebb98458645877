import type { PreparedSimulator } from '../shared/simulator.ts';
import {
  type SimulatorOptions,
  SimulatorTools,
  type StartedSimulator,
  startSimulator,
} from '../shared/start-simulator.ts';
import { VendorError } from '../shared/vendor-error.ts';
import type { WebhookTarget } from '../shared/webhook-sender.ts';
import { Bank } from './bank.ts';
import { UpBankControl } from './control.ts';
import { CONTROL_ROUTES } from './control-routes.ts';
import { errorReply } from './errors.ts';
import { API, PING } from './route.ts';
import { routesOf } from './routes.ts';
import { DEFAULT_HOLDER, Holder } from './state.ts';
import { Transactions } from './transactions.ts';
import { Webhooks } from './webhooks.ts';
import { UP_BANK_WIRE } from './wire.ts';

export interface UpBankSimulatorOptions extends SimulatorOptions {
  /** The personal access token that is accepted. */
  readonly token: string;
  /** The secret key of webhooks that are registered through the control API. */
  readonly webhookSecret: string;
  /** Where notifications go without a registered webhook; default nowhere. */
  readonly webhooks?: WebhookTarget;
  /** The waits before an undelivered notification is sent again. */
  readonly webhookDelaysMs?: readonly number[];
}

export interface UpBankSimulator extends StartedSimulator<UpBankControl> {
  /** Where the API begins. */
  readonly baseUrl: string;
}

/** Starts the simulator of the bank Up: its API and the control API. */
export async function startUpBankSimulator(options: UpBankSimulatorOptions): Promise<UpBankSimulator> {
  const { token, webhookSecret } = options;
  const tools = new SimulatorTools(options);
  const { now, seed, faults, log, changed } = tools;
  const base = (): string => `${tools.url}${API}`;
  const bank = new Bank(seed, now());
  const holder = new Holder(bank, token);
  const webhooks = new Webhooks(now, base, options.webhookDelaysMs);
  if (options.webhooks?.automatic === true) webhooks.register(options.webhooks.url, null, webhookSecret);
  const control = new UpBankControl({ bank, holder, webhooks, webhookSecret, faults, log }, now, changed);
  const routes = routesOf({ transactions: new Transactions(now, base), webhooks, now, base });
  const started = await startSimulator(tools, {
    routes: {
      wire: UP_BANK_WIRE,
      routes,
      handle: (route, asked) => {
        if (bank.outage) throw new VendorError(503, 'unavailable', 'Up is not available right now.');
        return route.handle(asked, holder.caller(asked.headers.authorization, route.path !== PING));
      },
      refuse: (error) => errorReply(error),
      expireToken: () => control.revokeToken(),
    },
    state: { kept: holder, saved: 'at_once', close: () => webhooks.close() },
    control: { actions: control, routes: CONTROL_ROUTES },
  });
  return { ...started, baseUrl: base() };
}

const TOKEN = 'up:sandbox:token';
const WEBHOOK_SECRET = 'sandbox-webhook-secret';

/** The simulator. It serves no data files: those follow the banks' standard. */
export async function prepareUpBank(dataFile: string | null): Promise<PreparedSimulator> {
  return {
    demoPeople: (rows) => {
      if (rows !== null) return [{ bank: null, customer: `rows:${rows}` }];
      return dataFile === null ? [{ bank: null, customer: DEFAULT_HOLDER }] : [];
    },
    start: async ({ clock, stateFile, ports, webhooks }) => {
      const simulator = await startUpBankSimulator({
        token: TOKEN,
        webhookSecret: WEBHOOK_SECRET,
        clock,
        stateFile,
        ports,
        ...(webhooks === undefined ? {} : { webhooks }),
      });
      const { control, baseUrl, url, controlUrl } = simulator;
      return {
        url,
        controlUrl,
        settings: { UP_BASE_URL: baseUrl, UP_TOKEN: TOKEN, UP_WEBHOOK_SECRET: WEBHOOK_SECRET },
        people: control,
        control,
        close: () => simulator.close(),
      };
    },
  };
}
