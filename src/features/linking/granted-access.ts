import { NO_SECRET } from '../../connectors/providers/customer-secret.ts';
import type { ProviderAccess } from '../../connectors/providers/provider-contract.ts';
import { type Consent, currentConsents } from '../../storage/consents.ts';
import { type EndUser, endUsersOfConnections } from '../../storage/end-users.ts';
import type { LinkSession } from '../../storage/link-sessions.ts';
import type { LinkingDependencies } from './linking-dependencies.ts';

/**
 * Opens the grant of a consent and adds the customer as now stored, so that a secret renewed by one connection is used
 * by all. Null once the withdrawal of the consent is confirmed.
 * @throws UnsealError
 */
export function accessOf(
  { secrets, customerSecrets }: Pick<LinkingDependencies, 'secrets' | 'customerSecrets'>,
  consent: Consent,
  endUser: EndUser | null,
): ProviderAccess | null {
  if (consent.grant === null) return null;
  const { grant, customer: bare } = secrets.openGrant(consent.id, consent.grant);
  const own = endUser === null ? null : customerSecrets.open(endUser);
  const customer = own ?? (bare === null ? null : { customer: bare, secret: NO_SECRET });
  return customer === null ? null : { ...customer, ...grant };
}

/** What a session is for: a new connection, one to renew, or one to renew that no longer exists. */
export type Renewal =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'renews';
      readonly access: ProviderAccess;
      /** The row of the customer. */
      readonly endUser: string;
    }
  | { readonly kind: 'gone' };

/** The grant that the session renews, with the customer that gave the consent. */
export async function renewalOf(
  deps: Pick<LinkingDependencies, 'db' | 'secrets' | 'customerSecrets'>,
  session: LinkSession,
): Promise<Renewal> {
  const { account_record: owner, renews: id } = session;
  if (id === null) return { kind: 'none' };
  const consent = (await currentConsents(deps.db, owner, [id])).get(id);
  if (consent === undefined) return { kind: 'gone' };
  const endUser = (await endUsersOfConnections(deps.db, owner, [id])).get(id) ?? null;
  const access = accessOf(deps, consent, endUser);
  if (access === null || endUser === null) return { kind: 'gone' };
  return { kind: 'renews', access, endUser: endUser.id };
}
