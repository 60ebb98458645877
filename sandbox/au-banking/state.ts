import { isRecord } from '../shared/json.ts';
import type { KeptState } from '../shared/state-file.ts';
import type { Consent, Consents } from './consents.ts';
import type { EndUser, EndUsers } from './end-users.ts';

/** End users and consents. Not the rows: they are derived from the seed and the calendar. */
export function bankState(users: EndUsers, consents: Consents): KeptState {
  return {
    read: () => ({ users: users.all(), consents: consents.all() }),
    restore: (state) => {
      if (!Array.isArray(state.users) || !Array.isArray(state.consents)) return false;
      users.restore(state.users.filter(isEndUser));
      consents.restore(state.consents.filter(isConsent));
      return true;
    },
  };
}

function isEndUser(value: unknown): value is EndUser {
  return isRecord(value) && typeof value.id === 'string' && typeof value.email === 'string';
}

function isConsent(value: unknown): value is Consent {
  return (
    isRecord(value) &&
    [value.arrangementId, value.endUserId, value.institutionId, value.customer].every(
      (id) => typeof id === 'string',
    ) &&
    [value.createdAt, value.consentedAt, value.expiresAt, value.accessedAt].every(
      (at) => typeof at === 'number',
    ) &&
    Array.isArray(value.accountIds) &&
    Array.isArray(value.permissions)
  );
}
