import type { DestinationRow } from '../../storage/destinations.ts';
import { type AccountMapping, MAPPING_MEMBERS } from '../../vocabulary/account-mappings.ts';
import {
  DESTINATION_KINDS,
  type DestinationType,
  destinationsHolding,
} from '../../vocabulary/destination-kinds.ts';
import { publicId, type RowId } from '../../vocabulary/ids.ts';
import type { Limits } from '../../vocabulary/limits.ts';
import { type LocalDate, localDateAt, monthsBefore } from '../../vocabulary/moments.ts';
import { PROVIDERS, type ProviderIdentifier } from '../../vocabulary/provider-kinds.ts';
import { SYNC_FIELDS } from '../../vocabulary/row-fields.ts';
import { invalidParameter, ServiceError } from '../../vocabulary/service-error.ts';
import type { MappingMode, SyncType } from '../../vocabulary/syncs.ts';

/**
 * Create rule 1: a sync writes to a destination that is ready. Raises `destination_disabled` and
 * `destination_incomplete`. `param`: the field that named the destination, null if none did.
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

/**
 * What the owner of a sync may choose as its columns (docs/columns.md#choosing-columns). Raises `parameter_invalid`
 * with the invalid entry.
 */
export function requireColumns(
  { type, destination }: { readonly type: SyncType; readonly destination: DestinationType },
  columns: readonly string[] | null,
): void {
  if (columns === null) return;
  if (!DESTINATION_KINDS[destination].columns) {
    throw invalidParameter('columns', `A destination of type ${destination} has no columns to choose from.`);
  }
  const fields = Object.keys(SYNC_FIELDS[type]);
  const known = `The fields of a ${type} sync are ${fields.join(', ')}.`;
  if (columns.length === 0) {
    throw invalidParameter('columns', `columns is empty; null stands for the standard columns. ${known}`);
  }
  for (const [index, name] of columns.entries()) {
    const at = `columns[${index}]`;
    if (!fields.includes(name)) throw invalidParameter(at, `${at} is unknown. ${known}`);
    if (columns.indexOf(name) < index) throw invalidParameter(at, `${at} is listed twice. ${known}`);
  }
}

/** What decides which mappings a sync may and must have. */
export interface MappedSync {
  readonly type: SyncType;
  readonly destination: DestinationType;
  readonly mode: MappingMode;
  readonly accounts: readonly RowId<'account'>[];
}

/** Raises `parameter_invalid` (`mapping_mode`) for a mode that the destination's type does not have. */
export function requireMappingMode(destination: DestinationType, mode: MappingMode): void {
  const { modes } = DESTINATION_KINDS[destination].mapping;
  if (!modes.includes(mode)) {
    throw invalidParameter(
      'mapping_mode',
      `A destination of type ${destination} accepts only mapping_mode ${modes.join(' or ')}.`,
    );
  }
}

/**
 * Create rules 2. Raises what is wrong with an entry (`parameter_invalid`, `parameter_missing`, naming its member) and
 * `mapping_required` for an account that needs one and has none. `added`: the accounts that were not in the sync before
 * an update; at creation none counts as added.
 */
export function validateMappings(
  sync: MappedSync,
  mappings: readonly AccountMapping[],
  added: readonly RowId<'account'>[],
): void {
  requireFittingMappings(sync, mappings);
  requireMappings(sync, mappings, added);
}

/**
 * The mappings of a sync after an update, checked. Given ones replace all; if only the accounts change, the entries
 * of the remaining ones are kept.
 */
export function mappingsAfter(
  sync: MappedSync,
  before: { readonly accounts: readonly RowId<'account'>[]; readonly mappings: readonly AccountMapping[] },
  given: readonly AccountMapping[] | undefined,
): readonly AccountMapping[] {
  const mappings = given ?? before.mappings.filter((mapping) => sync.accounts.includes(mapping.account));
  validateMappings(
    sync,
    mappings,
    sync.accounts.filter((account) => !before.accounts.includes(account)),
  );
  return mappings;
}

/** An account of the sync, once, with the members its destination's type has. */
function requireFittingMappings(sync: MappedSync, mappings: readonly AccountMapping[]): void {
  if (mappings.length === 0) return;
  const { entry } = DESTINATION_KINDS[sync.destination].mapping;
  if (entry === null || !entry.modes.includes(sync.mode)) {
    throw invalidParameter(
      'account_mappings',
      `A ${sync.mode} sync to a destination of type ${sync.destination} takes no account_mappings.`,
    );
  }
  const seen = new Set<RowId<'account'>>();
  for (const [index, mapping] of mappings.entries()) {
    const at = `account_mappings[${index}]`;
    if (!sync.accounts.includes(mapping.account)) {
      throw invalidParameter(`${at}.account`, `${at}.account is not among the sync's accounts.`);
    }
    if (seen.has(mapping.account)) throw invalidParameter(`${at}.account`, 'An account is mapped twice.');
    seen.add(mapping.account);
    if (sync.type !== 'transactions') {
      throw invalidParameter(`${at}.account`, 'Brokerage accounts share the holdings and trades tabs.');
    }
    for (const member of MAPPING_MEMBERS) {
      const given = mapping[member] !== undefined;
      const required = entry.required.includes(member);
      if (required && !given) {
        throw new ServiceError('parameter_missing', {
          param: `${at}.${member}`,
          message: `${at}.${member} is required for a destination of type ${sync.destination}.`,
        });
      }
      if (given && !required && !entry.optional.includes(member)) {
        throw invalidParameter(
          `${at}.${member}`,
          `${at}.${member} is not accepted by a destination of type ${sync.destination}.`,
        );
      }
    }
  }
}

/** Brokerage accounts need none: they share the holdings and trades tabs. */
function requireMappings(
  sync: MappedSync,
  mappings: readonly AccountMapping[],
  added: readonly RowId<'account'>[],
): void {
  const { entry } = DESTINATION_KINDS[sync.destination].mapping;
  if (entry === null || !entry.modes.includes(sync.mode) || sync.type !== 'transactions') return;
  const mapped = new Set(mappings.map((mapping) => mapping.account));
  const lacking = (entry.needed === 'always' ? sync.accounts : added).find((account) => !mapped.has(account));
  if (lacking === undefined) return;
  throw new ServiceError('mapping_required', {
    param: 'account_mappings',
    message: `account_mappings has no entry for ${publicId('account', lacking)}; the entry needs ${entry.required.join(' and ')}.`,
  });
}
