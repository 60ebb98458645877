import { AuthorizationServer } from '../shared/authorization-server.ts';
import { SYSTEM_CLOCK } from '../shared/clock.ts';
import { DelayedSave } from '../shared/delayed-save.ts';
import { Faults } from '../shared/faults.ts';
import { isRecord } from '../shared/json.ts';
import { OAuthPages } from '../shared/oauth-pages.ts';
import { RequestLog } from '../shared/request-log.ts';
import { type SimulatorOptions, serveSimulator } from '../shared/serve-simulator.ts';
import type { ReceivedRows } from '../shared/simulator.ts';
import { StateFile } from '../shared/state-file.ts';
import { Books } from './books.ts';
import { CallLimits } from './call-limits.ts';
import { SheetsControl, SUBJECT } from './control.ts';
import { CONTROL_ROUTES } from './control-routes.ts';
import { DriveRoutes } from './drive-routes.ts';
import { refusalOf } from './google-error.ts';
import { GoogleSignIn } from './google-sign-in.ts';
import { routesOf } from './routes.ts';
import { SheetsRoutes } from './sheets-routes.ts';
import { SpreadsheetPages } from './spreadsheet-pages.ts';

/** Google took nine megabytes when it was tried. */
const BODY_BYTES = 9 * 1024 * 1024;
const ACCESS_MS = 3_600_000;

export interface SheetsSimulatorOptions extends SimulatorOptions {
  readonly clientId: string;
  readonly clientSecret: string;
}

export type SheetsSimulator = {
  /** Where Sheets, Drive, the token endpoint and the pages are, without a trailing slash. */
  readonly url: string;
  readonly controlUrl: string;
  readonly control: SheetsControl;
  readonly received: ReceivedRows;
  /** The adapter's variables. */
  readonly settings: Readonly<Record<string, string>>;
  close(): Promise<void>;
};

/** Starts the simulator of Google Sheets: API, Drive, sign-in and pages on one origin, and the control API. */
export async function startSheetsSimulator(options: SheetsSimulatorOptions): Promise<SheetsSimulator> {
  const { clientId, clientSecret, host = '127.0.0.1', seed = 1, clock = SYSTEM_CLOCK } = options;
  const now = (): number => clock.now();
  let url = '';
  const pagesUrl = (): string => options.pagesUrl ?? url;
  const books = new Books(now);
  let save: DelayedSave | null = null;
  const changed = (): void => save?.changed();
  const authorizationServer = new AuthorizationServer({
    now,
    clientId,
    clientSecret,
    rotates: false,
    accessMs: ACCESS_MS,
    pkce: 'optional',
    returnOrigin: options.pagesUrl === undefined ? undefined : new URL(options.pagesUrl).origin,
    changed,
  });
  const file =
    options.stateFile === undefined
      ? null
      : new StateFile(options.stateFile, {
          read: () => ({ ...books.read(), grants: authorizationServer.read() }),
          restore: (state) =>
            isRecord(state) && books.restore(state) && authorizationServer.restore(state.grants),
        });
  file?.load();
  save = new DelayedSave(file);
  const signIn = new GoogleSignIn(authorizationServer);
  const limits = new CallLimits(now);
  const faults = new Faults(seed);
  const log = new RequestLog();
  const control = new SheetsControl({ books, authorizationServer, signIn, limits, faults, log, changed });
  const text = {
    vendor: 'Google Drive',
    subject: SUBJECT,
    asks: ['See, create and change only the files that you open with it, or that it creates'],
  };
  const routes = routesOf({
    authorizationServer,
    signIn,
    limits,
    consent: new OAuthPages(authorizationServer, text, pagesUrl),
    sheets: new SheetsRoutes(books, pagesUrl),
    drive: new DriveRoutes(books, pagesUrl),
    pages: new SpreadsheetPages(books, pagesUrl),
  });
  const served = await serveSimulator({
    vendor: {
      routes,
      faults,
      log,
      now,
      changed,
      maxBodyBytes: BODY_BYTES,
      handle: (route, request) => route.handle(request),
      refuse: (error, route) => refusalOf(error, route?.kind ?? null),
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
    received: books,
    settings: {
      GOOGLE_SHEETS_BASE_URL: url,
      GOOGLE_DRIVE_BASE_URL: url,
      GOOGLE_TOKEN_URL: url,
      GOOGLE_OAUTH_URL: pagesUrl(),
      GOOGLE_CLIENT_ID: clientId,
      GOOGLE_CLIENT_SECRET: clientSecret,
    },
    close: served.close,
  };
}
