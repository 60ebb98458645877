import { AuthorizationServer } from '../shared/authorization-server.ts';
import { OAuthPages } from '../shared/oauth-pages.ts';
import type { PreparedSimulator, ReceivedRows } from '../shared/simulator.ts';
import {
  type OAuthSimulatorOptions,
  preparedDestination,
  SimulatorTools,
  type StartedSimulator,
  startSimulator,
} from '../shared/start-simulator.ts';
import { Books } from './books.ts';
import { CallLimits } from './call-limits.ts';
import { SheetsControl, SUBJECT } from './control.ts';
import { CONTROL_ROUTES } from './control-routes.ts';
import { DriveRoutes } from './drive-routes.ts';
import { refusalOf } from './errors.ts';
import { SpreadsheetPages } from './pages.ts';
import { routesOf } from './routes.ts';
import { SheetsRoutes } from './sheets-routes.ts';
import { GoogleSignIn } from './sign-in.ts';
import { sheetsState } from './state.ts';

/** Google accepted nine megabytes when tested. */
const BODY_BYTES = 9 * 1024 * 1024;
const ACCESS_MS = 3_600_000;

export interface SheetsSimulator extends StartedSimulator<SheetsControl> {
  readonly received: ReceivedRows;
  /** The adapter's variables. */
  readonly settings: Readonly<Record<string, string>>;
}

/** Starts the simulator of Google Sheets: API, Drive, sign-in and pages on one origin, and the control API. */
export async function startSheetsSimulator(options: OAuthSimulatorOptions): Promise<SheetsSimulator> {
  const { clientId, clientSecret } = options;
  const tools = new SimulatorTools(options);
  const { now, pagesUrl, returnOrigin, faults, log, changed } = tools;
  const books = new Books(now);
  const authorizationServer = new AuthorizationServer({
    now,
    clientId,
    clientSecret,
    rotates: false,
    accessMs: ACCESS_MS,
    pkce: 'optional',
    returnOrigin,
    changed,
  });
  const signIn = new GoogleSignIn(authorizationServer);
  const limits = new CallLimits(now);
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
  const started = await startSimulator(tools, {
    routes: {
      routes,
      maxBodyBytes: BODY_BYTES,
      handle: (route, request) => route.handle(request),
      refuse: (error, route) => refusalOf(error, route?.kind ?? null),
      expireToken: (authorization) => authorizationServer.expire(authorization),
    },
    state: { kept: sheetsState(authorizationServer, books), saved: 'soon' },
    control: { actions: control, routes: CONTROL_ROUTES },
  });
  const { url } = started;
  return {
    ...started,
    received: books,
    settings: {
      GOOGLE_SHEETS_BASE_URL: url,
      GOOGLE_DRIVE_BASE_URL: url,
      GOOGLE_TOKEN_URL: url,
      GOOGLE_OAUTH_URL: pagesUrl(),
      GOOGLE_CLIENT_ID: clientId,
      GOOGLE_CLIENT_SECRET: clientSecret,
    },
  };
}

const CLIENT = { clientId: 'sandbox.apps.googleusercontent.com', clientSecret: 'sandbox-secret' };

/** The simulator. */
export function prepareSheets(): PreparedSimulator {
  return preparedDestination(CLIENT, startSheetsSimulator, ({ settings, received }) => ({
    settings,
    received,
  }));
}
