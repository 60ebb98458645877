import type { AuthorizationServer } from '../shared/authorization-server.ts';
import type { KeptState } from '../shared/state-file.ts';
import type { Workspace } from './workspace.ts';

/** What survives a restart: the grants, and the workspace with all its contents. */
export function airtableState(authorizationServer: AuthorizationServer, workspace: Workspace): KeptState {
  return {
    read: () => ({ grants: authorizationServer.read(), workspace: workspace.read() }),
    restore: (state) => authorizationServer.restore(state.grants) && workspace.restore(state.workspace),
  };
}
