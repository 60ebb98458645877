import type { DestinationRow } from '../../storage/destinations.ts';
import { DESTINATION_KINDS, destinationsHolding } from '../../vocabulary/destination-kinds.ts';
import type { Limits } from '../../vocabulary/limits.ts';
import { type LocalDate, localDateAt, monthsBefore } from '../../vocabulary/moments.ts';
import { PROVIDERS, type ProviderIdentifier } from '../../vocabulary/providers.ts';
import { invalidParameter, ServiceError } from '../../vocabulary/service-error.ts';
import type { SyncType } from '../../vocabulary/syncs.ts';

/**
 * Create rule 1: a sync writes to a destination that is ready. Raises `destination_disabled` and
 * `destination_incomplete`. `param`: the field that named the destination, null where none did.
 */
export function requireReady(destination: DestinationRow, param: 'destination' | null): void {
  if (destination.status === 'disabled') throw new ServiceError('destination_disabled', { param });
  if (destination.status !== 'active') {
    throw new ServiceError('destination_incomplete', {
      param,
      ...(destination.status === 'reauth_required'
        ? { message: 'The destination must be connected again before a sync can write to it.' }
        : {}),
    });
  }
}

/** Create rule 3: what kind of account goes where. */
export function requireFittingAccounts(
  type: SyncType,
  accounts: readonly { readonly provider: ProviderIdentifier }[],
  destination: DestinationRow,
): void {
  const brokerage = accounts.filter((account) => PROVIDERS[account.provider].category === 'brokerage');
  if (type === 'transactions' && brokerage.length > 0) {
    throw invalidParameter('accounts', 'A transactions sync accepts only banking accounts.');
  }
  if (type !== 'transactions' && brokerage.length < accounts.length) {
    throw invalidParameter('accounts', `A ${type} sync accepts only brokerage accounts.`);
  }
  if (!DESTINATION_KINDS[destination.type].holds.includes(type)) {
    throw invalidParameter(
      'destination',
      `A ${type} sync needs a destination of type ${destinationsHolding(type).join(' or ')}.`,
    );
  }
}

/** At least one account, none twice, no more than a sync may have. */
export function requireAccountList(accounts: readonly string[], limits: Limits): void {
  if (accounts.length === 0) throw invalidParameter('accounts', 'A sync needs at least one account.');
  if (accounts.length > limits.sync_accounts) {
    throw invalidParameter('accounts', `A sync can have at most ${limits.sync_accounts} accounts.`);
  }
  if (new Set(accounts).size < accounts.length) {
    throw invalidParameter('accounts', 'An account is listed twice.');
  }
}

/**
 * Create rule 4: the day a sync begins with. The earliest is 84 months back, a future day becomes today, and without
 * one it is 6 months back, or 3 on a trial. Days are the account record's.
 */
export function clampDataFrom(
  asked: LocalDate | null,
  context: {
    readonly now: number;
    readonly timezone: string;
    readonly trial: boolean;
    readonly limits: Limits;
  },
): LocalDate {
  const { limits } = context;
  const today = localDateAt(context.now, context.timezone);
  const earliest = monthsBefore(today, limits.history_months);
  const usual = monthsBefore(today, context.trial ? limits.sync_trial_months : limits.sync_default_months);
  const wanted = asked ?? usual;
  if (wanted > today) return today;
  return wanted < earliest ? earliest : wanted;
}
