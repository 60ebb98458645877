import { AuthorizationServer } from '../shared/authorization-server.ts';
import { CallQuota } from '../shared/call-quota.ts';
import { SYSTEM_CLOCK } from '../shared/clock.ts';
import { DelayedSave } from '../shared/delayed-save.ts';
import { Faults } from '../shared/faults.ts';
import { OAuthPages } from '../shared/oauth-pages.ts';
import { RequestLog } from '../shared/request-log.ts';
import { type SimulatorOptions, serveSimulator } from '../shared/serve-simulator.ts';
import { StateFile } from '../shared/state-file.ts';
import { Api } from './api.ts';
import { YnabControl } from './control.ts';
import { CONTROL_ROUTES } from './control-routes.ts';
import { refusal, tokenRefusal } from './errors.ts';
import { RegisterPages } from './register-pages.ts';
import { routesOf } from './routes.ts';
import { Saving } from './saving.ts';
import { USER } from './seed.ts';
import { firstSettings } from './settings.ts';
import { ynabState } from './state.ts';
import { World } from './world.ts';

export interface YnabSimulatorOptions extends SimulatorOptions {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Calls of an hour; default 200, as the vendor has it. */
  readonly callsPerHour?: number;
}

export interface YnabSimulator {
  /** Where it serves pages and tokens, without a trailing slash. */
  readonly url: string;
  /** Base of the API, `/v1` included. */
  readonly apiUrl: string;
  readonly controlUrl: string;
  readonly control: YnabControl;
  close(): Promise<void>;
}

const HOUR_MS = 3_600_000;
const TOKEN_MS = 2 * HOUR_MS;
/** A bulk request of 500 transactions with the longest texts. */
const MOST_BODY_BYTES = 8 * 1024 * 1024;

/** Starts the simulator of YNAB: its API, its sign-in, the pages of its registers, and the control API. */
export async function startYnabSimulator(options: YnabSimulatorOptions): Promise<YnabSimulator> {
  const { clientId, clientSecret, host = '127.0.0.1', seed = 1, clock = SYSTEM_CLOCK } = options;
  const { callsPerHour = 200 } = options;
  const now = (): number => clock.now();
  let url = '';
  const pagesUrl = (): string => options.pagesUrl ?? url;
  const world = new World();
  const settings = firstSettings();
  const authorizationServer = new AuthorizationServer({
    now,
    clientId,
    clientSecret,
    rotates: true,
    accessMs: TOKEN_MS,
    pkce: 'optional',
    returnOrigin: options.pagesUrl === undefined ? undefined : new URL(options.pagesUrl).origin,
    changed: () => save.changed(),
  });
  const file =
    options.stateFile === undefined
      ? null
      : new StateFile(options.stateFile, ynabState(world, authorizationServer));
  const save = new DelayedSave(file);
  file?.load();
  const quota = new CallQuota(now, callsPerHour, HOUR_MS);
  const faults = new Faults(seed);
  const log = new RequestLog();
  const saving = new Saving(settings, now);
  const control = new YnabControl({
    world,
    saving,
    settings,
    authorizationServer,
    faults,
    log,
    used: (user) => quota.used(user),
    changed: () => save.changed(),
  });
  const consent = { vendor: 'YNAB', subject: USER, asks: ['See your plans', 'Add and change transactions'] };
  const routes = routesOf({
    api: new Api(world, saving, now),
    authorizationServer,
    oauth: new OAuthPages(authorizationServer, consent, pagesUrl),
    pages: new RegisterPages(world, pagesUrl),
    settings,
    count: (user) => quota.take(user) === null,
  });
  const served = await serveSimulator({
    vendor: {
      routes,
      faults,
      log,
      now,
      changed: () => save.changed(),
      maxBodyBytes: MOST_BODY_BYTES,
      handle: (route, request) => route.handle(request),
      refuse: (error, route) => (route?.kind === 'token' ? tokenRefusal(error) : refusal(error)),
      expireToken: (authorization) => authorizationServer.expire(authorization),
    },
    control,
    controlRoutes: CONTROL_ROUTES,
    host,
    ports: options.ports,
    ended: () => save.now(),
  });
  url = served.url;
  return {
    url,
    apiUrl: `${url}/v1`,
    controlUrl: served.controlUrl,
    control,
    close: served.close,
  };
}
