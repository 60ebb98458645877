import { AuthorizationServer } from '../shared/authorization-server.ts';
import { CallQuota } from '../shared/call-quota.ts';
import { OAuthPages } from '../shared/oauth-pages.ts';
import type { PreparedSimulator, ReceivedRow, ReceivedRows } from '../shared/simulator.ts';
import {
  type OAuthSimulatorOptions,
  preparedDestination,
  SimulatorTools,
  type StartedSimulator,
  startSimulator,
} from '../shared/start-simulator.ts';
import { cellText } from './cells.ts';
import { NotionControl } from './control.ts';
import { CONTROL_ROUTES } from './control-routes.ts';
import { Credentials } from './credentials.ts';
import { Cursors } from './cursors.ts';
import { DatabaseCalls } from './database-calls.ts';
import { refusal } from './errors.ts';
import { BOT_ID, OAuthCalls } from './oauth-calls.ts';
import { TablePages } from './pages.ts';
import type { RowRecord, SourceRecord } from './records.ts';
import { routesOf } from './routes.ts';
import { RowCalls } from './row-calls.ts';
import { SearchCalls } from './search-calls.ts';
import { DEFAULT_SETTINGS, type NotionSettings, QUOTA } from './settings.ts';
import { notionState } from './state.ts';
import { furnish, Visible, Workspace } from './workspace.ts';

/** Tokens last until they are replaced, revoked or expired by the control API: the vendor states no lifetime. */
const ACCESS_MS = 10 * 366 * 24 * 3_600_000;

export interface NotionSimulator extends StartedSimulator<NotionControl> {
  readonly received: ReceivedRows;
}

/** Starts the simulator of Notion: its API of version 2025-09-03, its pages, and the control API. */
export async function startNotionSimulator(options: OAuthSimulatorOptions): Promise<NotionSimulator> {
  const { clientId, clientSecret } = options;
  const tools = new SimulatorTools(options);
  const { now, seed, pagesUrl, returnOrigin, faults, log, changed } = tools;
  const workspace = new Workspace(seed, now);
  furnish(workspace);
  const authorizationServer = new AuthorizationServer({
    now,
    clientId,
    clientSecret,
    rotates: true,
    accessMs: ACCESS_MS,
    pkce: 'optional',
    returnOrigin,
    changed,
  });
  const settings: NotionSettings = { ...DEFAULT_SETTINGS };
  const quota = new CallQuota(now, QUOTA.calls, QUOTA.windowMs);
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
  const started = await startSimulator(tools, {
    routes: {
      routes,
      handle: (route, request) => route.handle(request),
      refuse: refusal,
      expireToken: (authorization) => authorizationServer.expire(authorization),
    },
    state: { kept: notionState(authorizationServer, workspace), saved: 'soon' },
    control: { actions: control, routes: CONTROL_ROUTES },
  });
  return { ...started, received: receivedRows(workspace) };
}

const CLIENT = { clientId: 'notion-sandbox-client', clientSecret: 'notion-sandbox-secret' };

/** The simulator. */
export function prepareNotion(): PreparedSimulator {
  return preparedDestination(CLIENT, startNotionSimulator, ({ url, received }, pagesUrl) => ({
    settings: {
      NOTION_BASE_URL: url,
      NOTION_OAUTH_URL: pagesUrl,
      NOTION_CLIENT_ID: CLIENT.clientId,
      NOTION_CLIENT_SECRET: CLIENT.clientSecret,
    },
    received,
  }));
}

const ID_COLUMN = 'Transaction ID';

/** Rows that a person sees, in all databases, without those in the trash. */
function receivedRows(workspace: Workspace): ReceivedRows {
  return {
    rows: () =>
      [...workspace.rows.values()].flatMap((row): ReceivedRow[] => {
        const source = workspace.sources.get(row.source);
        if (source === undefined || row.inTrash || workspace.isBelowTrash(row.id)) return [];
        const values = valuesOf(source, row);
        const place = workspace.databases.get(source.database)?.title ?? '';
        return [{ id: values[ID_COLUMN] ?? row.id, place, values }];
      }),
    pages: () => {
      const filled = new Set(
        [...workspace.rows.values()].map(({ source }) => workspace.sources.get(source)?.database),
      );
      const shown = [...workspace.databases.keys()].filter((id) => filled.has(id));
      return ['/databases', ...shown.map((id) => `/databases/${id}`)];
    },
  };
}

function valuesOf({ properties }: SourceRecord, { cells }: RowRecord): Record<string, string> {
  return Object.fromEntries(
    properties.map((property) => [property.name, cellText(property, cells[property.id])]),
  );
}
