import type { Connection } from '../../storage/connections.ts';
import type { OwnerId, RowId } from '../../vocabulary/ids.ts';
import {
  PROVIDERS,
  type ProviderCategory,
  type ProviderIdentifier,
} from '../../vocabulary/provider-kinds.ts';
import { missing, ServiceError } from '../../vocabulary/service-error.ts';
import type { Accounts } from '../linking/accounts.ts';

/** What a read is for. Its refusal begins with `what`; `param` is the field of the account's id, null for the path. */
export interface CategoryRule {
  readonly categories: readonly ProviderCategory[];
  readonly what: string;
  readonly param: string | null;
}

/** Raises `resource_missing` for an account whose connection is being deleted, if such accounts are not shown. */
export function requireKept({ revoked_at: revoked }: Pick<Connection, 'revoked_at'>): void {
  if (revoked !== null) throw missing('account');
}

/** The part of `Accounts` that resolves ids, with what the caller needs of an account. */
export interface Resolver<Resolved> {
  resolve(...asked: Parameters<Accounts['resolve']>): Promise<Resolved>;
}

/** Raises `wrong_endpoint_for_category` unless the provider's accounts are of one of the rule's categories. */
export function requireCategory(
  provider: ProviderIdentifier,
  { categories, what, param }: CategoryRule,
): void {
  if (categories.includes(PROVIDERS[provider].category)) return;
  throw new ServiceError('wrong_endpoint_for_category', {
    message: `${what} exist for ${categories.join(' and ')} accounts only.`,
    param,
  });
}

/** The account ready to be read. The refusal of `requireCategory` precedes what `Accounts.resolve` raises. */
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
