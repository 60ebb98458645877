import { AuthorizationServer } from '../shared/authorization-server.ts';
import { SYSTEM_CLOCK } from '../shared/clock.ts';
import { DelayedSave } from '../shared/delayed-save.ts';
import { Faults } from '../shared/faults.ts';
import { OAuthPages } from '../shared/oauth-pages.ts';
import { RequestLog } from '../shared/request-log.ts';
import { type SimulatorOptions, serveSimulator } from '../shared/serve-simulator.ts';
import { StateFile } from '../shared/state-file.ts';
import { refusal } from './answers.ts';
import { AirtableControl } from './control.ts';
import { CONTROL_ROUTES } from './control-routes.ts';
import { GridPages } from './grid-pages.ts';
import { PlanLimits } from './plan-limits.ts';
import { Records } from './records.ts';
import { routesOf } from './routes.ts';
import { Schema } from './schema.ts';
import { PERSON, SignIn } from './sign-in.ts';
import { Workspace } from './workspace.ts';

export interface AirtableSimulatorOptions extends SimulatorOptions {
  readonly clientId: string;
  readonly clientSecret: string;
}

export type AirtableSimulator = {
  /** Address of the vendor's API, without a trailing slash. */
  readonly url: string;
  readonly controlUrl: string;
  readonly control: AirtableControl;
  close(): Promise<void>;
};

const ACCESS_MS = 3_600_000;
/** Ten records with long texts. */
const MOST_BODY_BYTES = 4 * 1024 * 1024;

/** Starts the simulator of Airtable: its API, its sign-in, its bases as pages, and the control API. */
export async function startAirtableSimulator(options: AirtableSimulatorOptions): Promise<AirtableSimulator> {
  const { clientId, clientSecret, host = '127.0.0.1', seed = 1, clock = SYSTEM_CLOCK, stateFile } = options;
  const now = (): number => clock.now();
  let url = '';
  const pagesUrl = (): string => options.pagesUrl ?? url;
  const changed = (): void => save.changed();
  const authorizationServer = new AuthorizationServer({
    now,
    clientId,
    clientSecret,
    rotates: true,
    accessMs: ACCESS_MS,
    pkce: 'required',
    returnOrigin: options.pagesUrl === undefined ? undefined : new URL(options.pagesUrl).origin,
    changed,
  });
  const workspace = new Workspace(seed);
  const file =
    stateFile === undefined
      ? null
      : new StateFile(stateFile, {
          read: () => ({ grants: authorizationServer.read(), workspace: workspace.read() }),
          restore: (state) => authorizationServer.restore(state.grants) && workspace.restore(state.workspace),
        });
  file?.load();
  const save = new DelayedSave(file);
  const faults = new Faults(seed);
  const log = new RequestLog();
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
  const served = await serveSimulator({
    vendor: {
      routes,
      faults,
      log,
      now,
      changed,
      maxBodyBytes: MOST_BODY_BYTES,
      handle: (route, request) => route.handle(request),
      refuse: refusal,
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
    controlUrl: served.controlUrl,
    control,
    close: served.close,
  };
}
