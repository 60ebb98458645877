import { type SimulatorClock, SYSTEM_CLOCK } from '../shared/clock.ts';
import { serveControl } from '../shared/control-api.ts';
import { Faults } from '../shared/faults.ts';
import { addressOf, listen, shut } from '../shared/listener.ts';
import { RequestLog } from '../shared/request-log.ts';
import { StateFile } from '../shared/state-file.ts';
import { serveVendor } from '../shared/vendor-http.ts';
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

export interface UpBankSimulatorOptions {
  /** The personal access token that is accepted. */
  readonly token: string;
  /** The secret key of webhooks that are registered through the control API. */
  readonly webhookSecret: string;
  /** Same seed, same people and rows; default 1. */
  readonly seed?: number;
  /** Sandbox time, epoch ms; default the system clock. Days and held rows follow it. */
  readonly clock?: SimulatorClock;
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

const HOST = '127.0.0.1';

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
  const [faults, log, closing] = [new Faults(seed), new RequestLog(), new AbortController()];
  const state = options.stateFile === undefined ? null : new StateFile(options.stateFile, holder);
  state?.load();
  const changed = (): void => state?.save();
  const control = new UpBankControl({ bank, holder, webhooks, webhookSecret, faults, log }, now, changed);
  const routes = routesOf({ transactions: new Transactions(now, base), webhooks, now, base });
  const vendor = await listen(
    (request, response) =>
      serveVendor(
        {
          routes,
          faults,
          log,
          now,
          changed,
          handle: (route, asked) =>
            route.handle(asked, holder.caller(asked.headers.authorization, route.path !== PING)),
          refuse: (error) => errorReply(error),
          expireToken: () => control.revokeToken(),
          closing: closing.signal,
        },
        request,
        response,
      ),
    HOST,
    0,
  );
  url = addressOf(vendor, HOST);
  const controlServer = await listen(
    (request, response) => serveControl(control, CONTROL_ROUTES, request, response),
    HOST,
    0,
  );
  return {
    url,
    baseUrl: base(),
    controlUrl: addressOf(controlServer, HOST),
    control,
    close: async () => {
      closing.abort();
      await webhooks.close();
      await Promise.all([vendor, controlServer].map(shut));
      state?.save();
    },
  };
}
