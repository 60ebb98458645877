import { UpstreamFailure } from '../../../vocabulary/upstream-failures.ts';
import { idText, inner, malformed, nameText, text, type WireObject } from '../kit/json.ts';
import type { ConnectionState, LinkedGrant, ProviderConsent } from '../provider-contract.ts';
import { itemsOf, type NzBankingClient } from './client.ts';
import { authorisationOf, isActive } from './map-account.ts';

/** What people share with the app: as much as the resources of v2 need. */
const DATA_CATEGORIES = ['accounts', 'balances', 'transactions'];

/** Every account that the user shares, at all their banks. */
export async function accountRows(
  client: NzBankingClient,
  token: string,
  signal: AbortSignal,
): Promise<WireObject[]> {
  const answer = await client.get(token, '/accounts', signal, { kind: { answer: 'list' } });
  return itemsOf(answer, client.options.limits);
}

/** The accounts of one login at a bank. */
export function ofAuthorisation(rows: readonly WireObject[], authorisation: string): WireObject[] {
  return rows.filter((row) => authorisationOf(row) === authorisation);
}

/**
 * A login at a bank as a consent. The vendor lists no logins: one is identified by its accounts, so one without
 * accounts has ended. Its login is lost once it works for none of them.
 */
export function consentOf(
  authorisation: string,
  rows: readonly WireObject[],
  grantedAt: number,
): ProviderConsent {
  return {
    id: authorisation,
    state: stateOf(rows),
    grantedAt,
    expiresAt: null,
    purpose: null,
    dataCategories: DATA_CATEGORIES,
    terminationReason: null,
  };
}

export function stateOf(rows: readonly WireObject[]): ConnectionState {
  if (rows.length === 0) return 'ended';
  return rows.some(isActive) ? 'active' : 'login_lost';
}

/** Every login of the user, in the order of the vendor's accounts. */
export function grantsOf(rows: readonly WireObject[], grantedAt: number): LinkedGrant[] {
  const logins = new Set(rows.map(authorisationOf).filter((id) => id !== null));
  return [...logins].map((id) => {
    const own = ofAuthorisation(rows, id);
    const bank = institutionOf(own);
    return {
      grant: { consent: id, institution: bank.id },
      consent: consentOf(id, own, grantedAt),
      institution: bank,
    };
  });
}

/** Raises UpstreamFailure if the user no longer shares the login. */
export function requireShared(rows: readonly WireObject[], authorisation: string): void {
  if (ofAuthorisation(rows, authorisation).length === 0)
    throw new UpstreamFailure('grant_rejected', 'The bank is no longer shared.');
}

function institutionOf(rows: readonly WireObject[]): LinkedGrant['institution'] {
  for (const row of rows) {
    const bank = inner(row, 'connection');
    const id = bank === null ? null : idText(bank, '_id');
    if (bank !== null && id !== null)
      return { id, name: nameText(bank, 'name') ?? id, logo: text(bank, 'logo') };
  }
  throw malformed('no account of a login names its bank');
}
