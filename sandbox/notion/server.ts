import { AuthorizationServer } from '../shared/authorization-server.ts';
import { CallQuota } from '../shared/call-quota.ts';
import { SYSTEM_CLOCK } from '../shared/clock.ts';
import { DelayedSave } from '../shared/delayed-save.ts';
import { Faults } from '../shared/faults.ts';
import { OAuthPages } from '../shared/oauth-pages.ts';
import { RequestLog } from '../shared/request-log.ts';
import { type SimulatorOptions, serveSimulator } from '../shared/serve-simulator.ts';
import type { ReceivedRows } from '../shared/simulator.ts';
import { StateFile } from '../shared/state-file.ts';
import { refusal } from './answers.ts';
import { NotionControl } from './control.ts';
import { CONTROL_ROUTES } from './control-routes.ts';
import { Credentials } from './credentials.ts';
import { Cursors } from './cursors.ts';
import { DatabaseCalls } from './database-calls.ts';
import { BOT_ID, OAuthCalls } from './oauth-calls.ts';
import { receivedRows } from './received.ts';
import { routesOf } from './routes.ts';
import { RowCalls } from './row-calls.ts';
import { SearchCalls } from './search-calls.ts';
import { DEFAULT_SETTINGS, type NotionSettings, QUOTA } from './settings.ts';
import { notionState } from './state.ts';
import { TablePages } from './table-pages.ts';
import { Visible } from './visible.ts';
import { furnish, Workspace } from './workspace.ts';

/** Tokens last until they are replaced, revoked or expired by the control API: the vendor names no end. */
const ACCESS_MS = 10 * 366 * 24 * 3_600_000;

export interface NotionSimulatorOptions extends SimulatorOptions {
  readonly clientId: string;
  readonly clientSecret: string;
}

export interface NotionSimulator {
  /** Base URL of the vendor's API, without a trailing slash. */
  readonly url: string;
  readonly controlUrl: string;
  readonly control: NotionControl;
  readonly received: ReceivedRows;
  close(): Promise<void>;
}

/** Starts the simulator of Notion: its API of version 2025-09-03, its pages, and the control API. */
export async function startNotionSimulator(options: NotionSimulatorOptions): Promise<NotionSimulator> {
  const { clientId, clientSecret, host = '127.0.0.1', seed = 1, clock = SYSTEM_CLOCK } = options;
  const now = (): number => clock.now();
  let url = '';
  const pagesUrl = (): string => options.pagesUrl ?? url;
  const workspace = new Workspace(seed, now);
  furnish(workspace);
  let save: DelayedSave | null = null;
  const changed = (): void => save?.changed();
  const authorizationServer = new AuthorizationServer({
    now,
    clientId,
    clientSecret,
    rotates: true,
    accessMs: ACCESS_MS,
    pkce: 'optional',
    returnOrigin: options.pagesUrl === undefined ? undefined : new URL(options.pagesUrl).origin,
    changed,
  });
  const { stateFile } = options;
  const state =
    stateFile === undefined ? null : new StateFile(stateFile, notionState(authorizationServer, workspace));
  state?.load();
  save = new DelayedSave(state);
  const settings: NotionSettings = { ...DEFAULT_SETTINGS };
  const quota = new CallQuota(now, QUOTA.calls, QUOTA.windowMs);
  const faults = new Faults(seed);
  const log = new RequestLog();
  const control = new NotionControl({ workspace, authorizationServer, settings, faults, log }, changed);
  const credentials = new Credentials(authorizationServer, quota);
  const visible = new Visible(workspace);
  const cursors = new Cursors();
  const consent = {
    vendor: 'Notion',
    subject: BOT_ID,
    asks: ['see, add and change the pages and databases that you share: Money and Travel'],
  };
  const routes = routesOf({
    credentials,
    oauth: new OAuthCalls(authorizationServer, credentials),
    consent: new OAuthPages(authorizationServer, consent, pagesUrl),
    tables: new TablePages(workspace, pagesUrl),
    databases: new DatabaseCalls(workspace, visible, cursors),
    rows: new RowCalls({ workspace, visible, cursors, settings }, now),
    search: new SearchCalls(workspace, cursors, settings, now),
  });
  const served = await serveSimulator({
    vendor: {
      routes,
      faults,
      log,
      now,
      changed,
      handle: (route, request) => route.handle(request),
      refuse: refusal,
      expireToken: (authorization) => authorizationServer.expire(authorization),
    },
    control,
    controlRoutes: CONTROL_ROUTES,
    host,
    ports: options.ports,
    ended: () => save?.now(),
  });
  url = served.url;
  return {
    url,
    controlUrl: served.controlUrl,
    control,
    received: receivedRows(workspace),
    close: served.close,
  };
}
