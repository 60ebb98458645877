import { idText, nameText, text, type WireObject } from '../kit/json.ts';
import type { LinkedGrant, ProviderGrant, ProviderInstitution } from '../provider-contract.ts';
import { itemsOf, type NzBankingClient } from './client.ts';

/** The banks that the vendor connects to. */
export async function connectionRows(client: NzBankingClient, signal: AbortSignal): Promise<WireObject[]> {
  return itemsOf(await client.getAsApp('/connections', signal, { answer: 'list' }), client.options.limits);
}

/** One bank, or null for an entry without id or name, which no one could choose. The vendor reports no outages. */
export function mapInstitution(row: WireObject): ProviderInstitution | null {
  const id = idText(row, '_id');
  const name = nameText(row, 'name');
  if (id === null || name === null) return null;
  return {
    id,
    name,
    shortName: name,
    logo: text(row, 'logo') ?? '',
    available: text(row, 'new_connections_enabled') !== 'false',
    status: null,
  };
}

/**
 * The grants of a renewal. A bank that has moved to its official connection has a new id: the vendor says which one it
 * replaces, and the grant keeps the old name, so that the connection being renewed is recognised.
 */
export function underFormerBank(
  grants: readonly LinkedGrant[],
  renew: ProviderGrant,
  banks: readonly WireObject[],
): LinkedGrant[] {
  const successors = new Set(
    banks.filter((bank) => text(bank, '_classic') === renew.institution).map((bank) => text(bank, '_id')),
  );
  return grants.map(({ grant, institution, ...rest }) =>
    successors.has(institution.id)
      ? {
          ...rest,
          grant: { ...grant, institution: renew.institution },
          institution: { ...institution, id: renew.institution },
        }
      : { ...rest, grant, institution },
  );
}
