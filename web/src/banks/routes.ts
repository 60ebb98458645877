import { createRoute } from '@tanstack/react-router';
import { APP_PATHS } from '../../../src/vocabulary/page-paths.ts';
import { isProviderIdentifier, type ProviderIdentifier } from '../../../src/vocabulary/provider-kinds.ts';
import { laterPage } from '../shell/later-page.tsx';
import { underRoot } from '../shell/root-route.tsx';
import type { Search } from '../shell/search.ts';

export const bankRoutes = [
  createRoute({
    getParentRoute: underRoot,
    path: APP_PATHS.connections,
    validateSearch: connectionsSearch,
    component: laterPage(() => import('./connections-page.tsx'), 'ConnectionsPage'),
  }),
  createRoute({
    getParentRoute: underRoot,
    path: APP_PATHS.newConnection,
    component: laterPage(() => import('./new-connection-page.tsx'), 'NewConnectionPage'),
  }),
  createRoute({
    getParentRoute: underRoot,
    path: APP_PATHS.statementFiles,
    validateSearch: filesSearch,
    component: laterPage(() => import('./statement-files-page.tsx'), 'StatementFilesPage'),
  }),
  createRoute({
    getParentRoute: underRoot,
    path: APP_PATHS.connection,
    component: laterPage(() => import('./connection-page.tsx'), 'ConnectionPage'),
  }),
] as const;

/** The file that is shown, and the account that uploaded files belong to; by default all, and what each file says. */
interface FilesSearch {
  readonly file?: string;
  readonly account?: string;
}

function filesSearch({ file, account }: Search): FilesSearch {
  return {
    ...(typeof file === 'string' && { file }),
    ...(typeof account === 'string' && { account }),
  };
}

/** How linking ended, as the service says when it sends the person back (docs/resources.md#link-session). */
interface ConnectionsSearch {
  readonly link_session?: 'completed' | 'failed';
  readonly reason?: string;
  /** Through whom. */
  readonly provider?: ProviderIdentifier;
}

function connectionsSearch({ link_session: outcome, reason, provider }: Search): ConnectionsSearch {
  const through = typeof provider === 'string' && isProviderIdentifier(provider) ? { provider } : {};
  if (outcome === 'completed') return { link_session: outcome, ...through };
  if (outcome !== 'failed') return {};
  return { link_session: outcome, ...(typeof reason === 'string' && { reason }), ...through };
}
