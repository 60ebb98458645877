import { AuthorizationServer } from '../shared/authorization-server.ts';
import { OAuthPages } from '../shared/oauth-pages.ts';
import type { PreparedSimulator } from '../shared/simulator.ts';
import {
  type OAuthSimulatorOptions,
  preparedDestination,
  SimulatorTools,
  type StartedSimulator,
  startSimulator,
} from '../shared/start-simulator.ts';
import { AirtableControl } from './control.ts';
import { CONTROL_ROUTES } from './control-routes.ts';
import { refusal } from './errors.ts';
import { GridPages } from './pages.ts';
import { PlanLimits } from './plan-limits.ts';
import { Records } from './records.ts';
import { routesOf } from './routes.ts';
import { Schema } from './schema.ts';
import { PERSON, SignIn } from './sign-in.ts';
import { airtableState } from './state.ts';
import { Workspace } from './workspace.ts';

export type AirtableSimulator = StartedSimulator<AirtableControl>;

const ACCESS_MS = 3_600_000;
/** Ten records with long texts. */
const MOST_BODY_BYTES = 4 * 1024 * 1024;

/** Starts the simulator of Airtable: its API, its sign-in, its bases as pages, and the control API. */
export async function startAirtableSimulator(options: OAuthSimulatorOptions): Promise<AirtableSimulator> {
  const { clientId, clientSecret } = options;
  const tools = new SimulatorTools(options);
  const { now, seed, pagesUrl, returnOrigin, faults, log, changed } = tools;
  const authorizationServer = new AuthorizationServer({
    now,
    clientId,
    clientSecret,
    rotates: true,
    accessMs: ACCESS_MS,
    pkce: 'required',
    returnOrigin,
    changed,
  });
  const workspace = new Workspace(seed);
  const limits = new PlanLimits(now);
  const schema = new Schema(workspace);
  const room = ({ tables }: { readonly tables: readonly { readonly size: number }[] }): number =>
    (limits.plan.recordsPerBase ?? Number.POSITIVE_INFINITY) -
    tables.reduce((sum, { size }) => sum + size, 0);
  const asks = ['See, change and delete records', 'See, add and change tables and columns'];
  const pages = new OAuthPages(authorizationServer, { vendor: 'Airtable', subject: PERSON, asks }, pagesUrl);
  const signIn = new SignIn(authorizationServer, pages);
  const records = new Records(workspace, now, room);
  const control = new AirtableControl(
    { authorizationServer, signIn, workspace, limits, schema, records, faults, log },
    now,
    changed,
  );
  const routes = routesOf({
    authorizationServer,
    signIn,
    pages,
    grids: new GridPages(workspace, pagesUrl),
    limits,
    workspace,
    schema,
    records,
  });
  return startSimulator(tools, {
    routes: {
      routes,
      maxBodyBytes: MOST_BODY_BYTES,
      handle: (route, request) => route.handle(request),
      refuse: refusal,
      expireToken: (authorization) => authorizationServer.expire(authorization),
    },
    state: { kept: airtableState(authorizationServer, workspace), saved: 'soon' },
    control: { actions: control, routes: CONTROL_ROUTES },
  });
}

const CLIENT = { clientId: 'sandbox-client', clientSecret: 'sandbox-secret' };

/** The simulator. */
export function prepareAirtable(): PreparedSimulator {
  return preparedDestination(CLIENT, startAirtableSimulator, ({ url, control }, pagesUrl) => ({
    settings: {
      AIRTABLE_BASE_URL: url,
      AIRTABLE_TOKEN_URL: url,
      AIRTABLE_OAUTH_URL: pagesUrl,
      AIRTABLE_CLIENT_ID: CLIENT.clientId,
      AIRTABLE_CLIENT_SECRET: CLIENT.clientSecret,
    },
    received: control,
  }));
}
