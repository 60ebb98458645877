import type { AuthorizationServer } from '../shared/authorization-server.ts';
import type { KeptState } from '../shared/state-file.ts';
import type { Books } from './books.ts';

/** What survives a restart: the spreadsheets with all their contents, and the grants. */
export function sheetsState(authorizationServer: AuthorizationServer, books: Books): KeptState {
  return {
    read: () => ({ ...books.read(), grants: authorizationServer.read() }),
    restore: (state) => books.restore(state) && authorizationServer.restore(state.grants),
  };
}
