import { AuthorizationServer } from '../shared/authorization-server.ts';
import { CallQuota } from '../shared/call-quota.ts';
import { OAuthPages } from '../shared/oauth-pages.ts';
import type { PreparedSimulator } from '../shared/simulator.ts';
import {
  type OAuthSimulatorOptions,
  preparedDestination,
  SimulatorTools,
  type StartedSimulator,
  startSimulator,
} from '../shared/start-simulator.ts';
import { Api } from './api.ts';
import { YnabControl } from './control.ts';
import { CONTROL_ROUTES } from './control-routes.ts';
import { refusal, tokenRefusal } from './errors.ts';
import { RegisterPages } from './pages.ts';
import { routesOf } from './routes.ts';
import { Saving } from './saving.ts';
import { USER } from './seed.ts';
import { firstSettings } from './settings.ts';
import { ynabState } from './state.ts';
import { World } from './world.ts';

export interface YnabSimulatorOptions extends OAuthSimulatorOptions {
  /** Calls per hour; default 200, as at the vendor. */
  readonly callsPerHour?: number;
}

export interface YnabSimulator extends StartedSimulator<YnabControl> {
  /** Base of the API, `/v1` included. */
  readonly apiUrl: string;
}

const HOUR_MS = 3_600_000;
const TOKEN_MS = 2 * HOUR_MS;
/** A bulk request of 500 transactions with the longest texts. */
const MOST_BODY_BYTES = 8 * 1024 * 1024;

/** Starts the simulator of YNAB: its API, its sign-in, the pages of its registers, and the control API. */
export async function startYnabSimulator(options: YnabSimulatorOptions): Promise<YnabSimulator> {
  const { clientId, clientSecret, callsPerHour = 200 } = options;
  const tools = new SimulatorTools(options);
  const { now, pagesUrl, returnOrigin, faults, log, changed } = tools;
  const world = new World();
  const settings = firstSettings();
  const authorizationServer = new AuthorizationServer({
    now,
    clientId,
    clientSecret,
    rotates: true,
    accessMs: TOKEN_MS,
    pkce: 'optional',
    returnOrigin,
    changed,
  });
  const quota = new CallQuota(now, callsPerHour, HOUR_MS);
  const saving = new Saving(settings, now);
  const control = new YnabControl({
    world,
    saving,
    settings,
    authorizationServer,
    faults,
    log,
    used: (user) => quota.used(user),
    changed,
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
  const started = await startSimulator(tools, {
    routes: {
      routes,
      maxBodyBytes: MOST_BODY_BYTES,
      handle: (route, request) => route.handle(request),
      refuse: (error, route) => (route?.kind === 'token' ? tokenRefusal(error) : refusal(error)),
      expireToken: (authorization) => authorizationServer.expire(authorization),
    },
    state: { kept: ynabState(world, authorizationServer), saved: 'soon' },
    control: { actions: control, routes: CONTROL_ROUTES },
  });
  return { ...started, apiUrl: `${started.url}/v1` };
}

const CLIENT = { clientId: 'ynab-sandbox', clientSecret: 'sandbox-secret' };

/** The simulator. */
export function prepareYnab(): PreparedSimulator {
  return preparedDestination(CLIENT, startYnabSimulator, ({ url, apiUrl, control }, pagesUrl) => ({
    settings: {
      YNAB_BASE_URL: apiUrl,
      YNAB_TOKEN_URL: url,
      YNAB_OAUTH_URL: pagesUrl,
      YNAB_CLIENT_ID: CLIENT.clientId,
      YNAB_CLIENT_SECRET: CLIENT.clientSecret,
    },
    received: control,
  }));
}
