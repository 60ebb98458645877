import type { ProviderAccountDetails } from '../../connectors/providers/provider-contract.ts';
import type { Clock } from '../../platform/clock.ts';
import type { ErrorCode } from '../../vocabulary/error-codes.ts';
import type { OwnerId, RowId } from '../../vocabulary/ids.ts';
import type { Limits } from '../../vocabulary/limits.ts';
import { ServiceError } from '../../vocabulary/service-error.ts';
import type { Accounts, ResolvedAccount, UnreadableAccount } from '../linking/accounts.ts';
import type { AccountReader } from '../provider-gateway/account-reader.ts';
import type { CachedRead } from '../provider-gateway/gateway-types.ts';
import { requireCategory, requireKept } from './account-category.ts';
import { ReadsAtOnce, SharedDeadline } from './reads-at-once.ts';

/** `read` is null for an account that has no details. */
export interface ListedDetails {
  readonly account: RowId<'account'>;
  readonly read: CachedRead<ProviderAccountDetails> | null;
}

export interface DetailReadsDependencies {
  readonly accounts: Pick<Accounts, 'resolveAll'>;
  readonly gateway: { readonly accounts: Pick<AccountReader, 'details'> };
  readonly clock: Clock;
  readonly limits: Limits;
}

/** Codes by which an account permanently has no details. */
const NONE: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['not_supported', 'account_unavailable']);

/** Details of many accounts in one answer (docs/v1.md#account-details). */
export class DetailReads {
  readonly #deps: DetailReadsDependencies;

  constructor(deps: DetailReadsDependencies) {
    this.#deps = deps;
  }

  /**
   * In the requested order. All together get the deadline of one read, and one failure fails all, because an omitted
   * account means one without details. Raises `not_supported` if the providers of all of them have none,
   * `resource_missing` also for an account whose connection is being deleted, `wrong_endpoint_for_category`, and the
   * upstream codes.
   */
  async list(
    owner: OwnerId,
    ids: readonly RowId<'account'>[],
    signal: AbortSignal,
  ): Promise<ListedDetails[]> {
    const rule = { categories: ['banking'], what: 'Account details', param: null } as const;
    const found = await this.#deps.accounts.resolveAll(owner, ids, null, (connection) => {
      requireKept(connection);
      requireCategory(connection.provider, rule);
    });
    const room = new ReadsAtOnce(this.#deps, found.length);
    const deadline = new SharedDeadline(this.#deps, signal);
    const given = new AbortController();
    const within = AbortSignal.any([deadline.signal, given.signal]);
    try {
      const refusals: ServiceError[] = [];
      const none = (error: ServiceError): null => {
        refusals.push(error);
        return null;
      };
      const listed = await Promise.all(
        found.map(async (one) => ({
          account: one.account.id,
          read: await this.#details(one, room, within).catch(unless(none)),
        })),
      );
      const [refusal] = refusals;
      const unsupported = refusals.filter(({ code }) => code === 'not_supported');
      if (refusal !== undefined && unsupported.length === listed.length) throw refusal;
      return listed;
    } finally {
      given.abort();
      deadline.end();
    }
  }

  async #details(
    found: ResolvedAccount | UnreadableAccount,
    room: ReadsAtOnce,
    signal: AbortSignal,
  ): Promise<CachedRead<ProviderAccountDetails> | null> {
    if ('error' in found) throw found.error;
    const read = await room.run(() => this.#deps.gateway.accounts.details(found.gateway, signal));
    return saysNothing(read.value) ? null : read;
  }
}

function saysNothing(details: ProviderAccountDetails): boolean {
  return Object.values(details).every(
    (value) => value === null || (Array.isArray(value) && value.length === 0),
  );
}

function unless(none: (error: ServiceError) => null): (error: unknown) => null {
  return (error) => {
    if (error instanceof ServiceError && NONE.has(error.code)) return none(error);
    throw error;
  };
}
