import { isRecord } from '../shared/json.ts';
import type { KeptState } from '../shared/state-file.ts';
import type { Connection, Connections } from './connections.ts';
import type { User } from './request.ts';
import type { Users } from './users.ts';

/** Users and connections. Not the rows: they are derived from the people and the calendar. */
export function brokerageState(users: Users, connections: Connections): KeptState {
  return {
    read: () => ({ users: users.all(), connections: connections.all() }),
    restore: (state) => {
      if (!Array.isArray(state.users) || !Array.isArray(state.connections)) return false;
      users.restore(state.users.filter(isUser));
      connections.restore(state.connections.filter(isConnection));
      return true;
    },
  };
}

function isUser(value: unknown): value is User {
  return isRecord(value) && typeof value.userId === 'string' && typeof value.userSecret === 'string';
}

function isConnection(value: unknown): value is Connection {
  return (
    isRecord(value) &&
    [value.id, value.userId, value.brokerId, value.customer].every((text) => typeof text === 'string') &&
    [value.createdAt, value.updatedAt, value.refreshedAt].every((at) => typeof at === 'number')
  );
}
