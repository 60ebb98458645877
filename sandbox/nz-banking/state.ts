import { isRecord } from '../shared/json.ts';
import type { KeptState } from '../shared/state-file.ts';
import type { Authorisation, User, Users } from './users.ts';
import type { Subscription, Webhooks } from './webhooks.ts';

/** Users, what they share, and who is notified. Not the rows: they are derived from the seed and the calendar. */
export function nzBankingState(users: Users, webhooks: Webhooks): KeptState {
  return {
    read: () => ({ users: users.all(), subscriptions: webhooks.all() }),
    restore: (state) => {
      if (!Array.isArray(state.users) || !Array.isArray(state.subscriptions)) return false;
      users.restore(state.users.filter(isUser));
      webhooks.restore(state.subscriptions.filter(isSubscription));
      return true;
    },
  };
}

function isUser(value: unknown): value is User {
  return (
    isRecord(value) &&
    typeof value.id === 'string' &&
    typeof value.customer === 'string' &&
    typeof value.grantedAt === 'number' &&
    (value.token === null || typeof value.token === 'string') &&
    Array.isArray(value.authorisations) &&
    value.authorisations.every(isAuthorisation)
  );
}

function isAuthorisation(value: unknown): value is Authorisation {
  return (
    isRecord(value) &&
    typeof value.id === 'string' &&
    typeof value.bank === 'string' &&
    typeof value.official === 'boolean' &&
    typeof value.active === 'boolean' &&
    [value.generation, value.since, value.refreshedAt].every((one) => typeof one === 'number')
  );
}

function isSubscription(value: unknown): value is Subscription {
  return (
    isRecord(value) &&
    [value.id, value.user, value.type, value.state].every((one) => typeof one === 'string') &&
    typeof value.createdAt === 'number'
  );
}
