import { type SimulatorClock, SYSTEM_CLOCK } from '../shared/clock.ts';
import { Faults } from '../shared/faults.ts';
import { RequestLog } from '../shared/request-log.ts';
import { serveSimulator } from '../shared/serve-simulator.ts';
import type { SimulatorPorts } from '../shared/simulator.ts';
import { StateFile } from '../shared/state-file.ts';
import { VendorError } from '../shared/vendor-error.ts';
import type { WebhookTarget } from '../shared/webhook-sender.ts';
import { Bank } from './bank.ts';
import { UpBankControl } from './control.ts';
import { CONTROL_ROUTES } from './control-routes.ts';
import { errorReply } from './error-body.ts';
import { Holder } from './holder.ts';
import { API, PING } from './route.ts';
import { routesOf } from './routes.ts';
import { Transactions } from './transactions.ts';
import { Webhooks } from './webhooks.ts';
import { UP_BANK_WIRE } from './wire.ts';

export interface UpBankSimulatorOptions {
  /** The personal access token that is accepted. */
  readonly token: string;
  /** The secret key of webhooks that are registered through the control API. */
  readonly webhookSecret: string;
  /** Same seed, same people and rows; default 1. */
  readonly seed?: number;
  /** Sandbox time, epoch ms; default the system clock. Days and held rows follow it. */
  readonly clock?: SimulatorClock;
  /** Default: any that are free. */
  readonly ports?: SimulatorPorts | undefined;
  /** Where to keep between runs whose token it is; default nowhere. */
  readonly stateFile?: string;
  /** Where notifications go without anybody registering a webhook; default nowhere. */
  readonly webhooks?: WebhookTarget;
  /** The waits before an undelivered notification is sent again. */
  readonly webhookDelaysMs?: readonly number[];
}

export interface UpBankSimulator {
  /** Without a trailing slash. */
  readonly url: string;
  /** Where the API begins. */
  readonly baseUrl: string;
  readonly controlUrl: string;
  readonly control: UpBankControl;
  close(): Promise<void>;
}

/** Starts the simulator of the bank Up: its API and the control API. */
export async function startUpBankSimulator(options: UpBankSimulatorOptions): Promise<UpBankSimulator> {
  const { token, webhookSecret, seed = 1, clock = SYSTEM_CLOCK } = options;
  const now = (): number => clock.now();
  let url = '';
  const base = (): string => `${url}${API}`;
  const bank = new Bank(seed, now());
  const holder = new Holder(bank, token);
  const webhooks = new Webhooks(now, base, options.webhookDelaysMs);
  if (options.webhooks?.automatic === true) webhooks.register(options.webhooks.url, null, webhookSecret);
  const [faults, log] = [new Faults(seed), new RequestLog()];
  const state = options.stateFile === undefined ? null : new StateFile(options.stateFile, holder);
  state?.load();
  const changed = (): void => state?.save();
  const control = new UpBankControl({ bank, holder, webhooks, webhookSecret, faults, log }, now, changed);
  const routes = routesOf({ transactions: new Transactions(now, base), webhooks, now, base });
  const served = await serveSimulator({
    vendor: {
      wire: UP_BANK_WIRE,
      routes,
      faults,
      log,
      now,
      changed,
      handle: (route, asked) => {
        if (bank.outage) throw new VendorError(503, 'unavailable', 'Up is not available right now.');
        return route.handle(asked, holder.caller(asked.headers.authorization, route.path !== PING));
      },
      refuse: (error) => errorReply(error),
      expireToken: () => control.revokeToken(),
    },
    control,
    controlRoutes: CONTROL_ROUTES,
    ports: options.ports,
    ended: async () => {
      await webhooks.close();
      state?.save();
    },
  });
  url = served.url;
  return {
    url,
    baseUrl: base(),
    controlUrl: served.controlUrl,
    control,
    close: served.close,
  };
}
