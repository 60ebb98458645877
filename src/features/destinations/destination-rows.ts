import type { DestinationRow } from '../../storage/destinations.ts';
import type { DestinationType } from '../../vocabulary/destination-kinds.ts';
import { FIXED_LIMITS } from '../../vocabulary/limits.ts';

type Given = Pick<DestinationRow, 'id' | 'account_record' | 'type' | 'name' | 'mac_key'>;

/** A destination as it begins: without a target, a secret or a grant, and with nothing held against it. */
export function newDestinationRow(given: Given, now: Date): DestinationRow {
  return {
    ...given,
    status: 'incomplete',
    target: {},
    sealed_target: null,
    target_mac: null,
    signing_secret: null,
    previous_secret: null,
    previous_secret_until: null,
    grant: null,
    grant_claimed_until: null,
    creation_key: null,
    creating_until: null,
    failed_runs: 0,
    first_failed_at: null,
    metadata: null,
    created: now,
    updated: now,
  };
}

/** What the vendor says, made a name that the database takes and that is no longer than any; else the type. */
export function firstName(text: string, type: DestinationType): string {
  const readable = text.replaceAll('\0', '\ufffd').toWellFormed().trim();
  const half = /\p{Cs}$/u;
  return readable.slice(0, FIXED_LIMITS.name_characters).replace(half, '').trimEnd() || type;
}
