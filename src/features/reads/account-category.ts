import type { Connection } from '../../storage/connections.ts';
import type { OwnerId, RowId } from '../../vocabulary/ids.ts';
import {
  PROVIDERS,
  type ProviderCategory,
  type ProviderIdentifier,
} from '../../vocabulary/provider-kinds.ts';
import { missing, ServiceError } from '../../vocabulary/service-error.ts';
import type { Accounts } from '../linking/accounts.ts';

/** What a read is for. `what` begins its refusal; `param` names where the account's id was sent, null for the path. */
export interface CategoryRule {
  readonly category: ProviderCategory;
  readonly what: string;
  readonly param: string | null;
}

/** Raises `resource_missing` for an account whose connection is being deleted, where such accounts are not shown. */
export function requireKept({ revoked_at: revoked }: Pick<Connection, 'revoked_at'>): void {
  if (revoked !== null) throw missing('account');
}

/** `Accounts` as far as resolving goes, with what the caller needs of an account. */
export interface Resolver<Resolved> {
  resolve(...asked: Parameters<Accounts['resolve']>): Promise<Resolved>;
}

/** Raises `wrong_endpoint_for_category` unless the provider's accounts are of the rule's category. */
export function requireCategory(provider: ProviderIdentifier, { category, what, param }: CategoryRule): void {
  if (PROVIDERS[provider].category === category) return;
  throw new ServiceError('wrong_endpoint_for_category', {
    message: `${what} exist for ${category} accounts only.`,
    param,
  });
}

/** The account ready to be read. Raises `requireCategory`'s refusal before whatever else `Accounts.resolve` raises. */
export async function resolveOfCategory<Resolved>(
  accounts: Resolver<Resolved>,
  owner: OwnerId,
  id: RowId<'account'>,
  rule: CategoryRule,
): Promise<Resolved> {
  try {
    return await accounts.resolve(owner, id, ({ provider }) => requireCategory(provider, rule));
  } catch (error) {
    const { param } = rule;
    if (param === null || !(error instanceof ServiceError) || error.code !== 'resource_missing') throw error;
    throw new ServiceError('resource_missing', { message: error.message, param });
  }
}
