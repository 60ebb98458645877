import { Value } from 'typebox/value';
import type { AuthorizationServer } from '../shared/authorization-server.ts';
import type { KeptState } from '../shared/state-file.ts';
import { WorkspaceRecord } from './records.ts';
import type { Workspace } from './workspace.ts';

/** The grants and the whole workspace, so that rows that arrived are still there after a restart. */
export function notionState(authorizationServer: AuthorizationServer, workspace: Workspace): KeptState {
  return {
    read: () => ({ grants: authorizationServer.read(), workspace: workspace.read() }),
    restore: (state) => {
      if (!Value.Check(WorkspaceRecord, state.workspace) || !authorizationServer.restore(state.grants))
        return false;
      workspace.restore(state.workspace);
      return true;
    },
  };
}
