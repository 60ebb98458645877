import { type AccountMapping, MAPPING_MEMBERS } from '../../vocabulary/account-mappings.ts';
import { DESTINATION_KINDS, type DestinationType } from '../../vocabulary/destination-kinds.ts';
import { publicId, type RowId } from '../../vocabulary/ids.ts';
import { invalidParameter, ServiceError } from '../../vocabulary/service-error.ts';
import type { MappingMode, SyncType } from '../../vocabulary/syncs.ts';

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
 * The mappings of a sync after an update, checked. Given ones replace all; where only the accounts change, the entries
 * of those that stay stay.
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
