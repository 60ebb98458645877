import type { ProviderAccess } from '../../connectors/providers/provider-contract.ts';
import type { Consent } from '../../storage/consents.ts';
import type { EndUser } from '../../storage/end-users.ts';
import type { LinkingDependencies } from './linking-dependencies.ts';

/**
 * Opens the grant of a consent and joins the customer to it as it is stored now, so that a secret renewed by one
 * connection is used by all. Null once the withdrawal of the consent is confirmed. @throws UnsealError
 */
export function accessOf(
  { secrets, customerSecrets }: Pick<LinkingDependencies, 'secrets' | 'customerSecrets'>,
  consent: Consent,
  endUser: EndUser | null,
): ProviderAccess | null {
  if (consent.grant === null) return null;
  const { grant, customer: bare } = secrets.openGrant(consent.id, consent.grant);
  const own = endUser === null ? null : customerSecrets.open(endUser);
  const customer = own ?? (bare === null ? null : customerSecrets.shared(bare));
  return customer === null ? null : { ...customer, ...grant };
}
