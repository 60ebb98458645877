import { AuthorizationServer } from '../shared/authorization-server.ts';
import { type SimulatorClock, SYSTEM_CLOCK } from '../shared/clock.ts';
import { serveControl } from '../shared/control-api.ts';
import { DelayedSave } from '../shared/delayed-save.ts';
import { Faults } from '../shared/faults.ts';
import { addressOf, listen, shut } from '../shared/listener.ts';
import { OAuthPages } from '../shared/oauth-pages.ts';
import { RequestLog } from '../shared/request-log.ts';
import { StateFile } from '../shared/state-file.ts';
import { serveVendor } from '../shared/vendor-http.ts';
import { refusal } from './answers.ts';
import { AirtableControl } from './control.ts';
import { CONTROL_ROUTES } from './control-routes.ts';
import { GridPages } from './grid-pages.ts';
import { PlanLimits } from './plan-limits.ts';
import { Records } from './records.ts';
import type { Route } from './route.ts';
import { routesOf } from './routes.ts';
import { Schema } from './schema.ts';
import { PERSON, SignIn } from './sign-in.ts';
import { Workspace } from './workspace.ts';

export type AirtableSimulatorOptions = {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Address to bind; default 127.0.0.1. */
  readonly host?: string;
  /** Where browsers reach the pages, when something else serves them; default the bound address. No trailing slash. */
  readonly pagesUrl?: string;
  /** Same seed, same ids; default 1. */
  readonly seed?: number;
  /** Sandbox time, epoch ms; default the system clock. */
  readonly clock?: SimulatorClock;
  /** Where to keep grants, bases and records between runs; default nowhere. */
  readonly stateFile?: string;
};

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
  const closing = new AbortController();
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
  const served = {
    routes,
    faults,
    log,
    now,
    changed,
    closing: closing.signal,
    maxBodyBytes: MOST_BODY_BYTES,
    handle: (route: Route, request: Parameters<Route['handle']>[0]) => route.handle(request),
    refuse: refusal,
    expireToken: (authorization: string | undefined) => authorizationServer.expire(authorization),
  };
  const vendor = await listen((request, response) => serveVendor(served, request, response), host, 0);
  url = addressOf(vendor, host);
  const controlServer = await listen(
    (request, response) => serveControl(control, CONTROL_ROUTES, request, response),
    host,
    0,
  );
  return {
    url,
    controlUrl: addressOf(controlServer, host),
    control,
    close: async () => {
      closing.abort();
      await Promise.all([vendor, controlServer].map(shut));
      save.now();
    },
  };
}
