import type { Clock } from '../../platform/clock.ts';
import type { Account } from '../../storage/accounts.ts';
import type { Connection } from '../../storage/connections.ts';
import type { ErrorCode } from '../../vocabulary/error-codes.ts';
import type { OwnerId, RowId } from '../../vocabulary/ids.ts';
import type { Limits } from '../../vocabulary/limits.ts';
import { invalidParameter, ServiceError } from '../../vocabulary/service-error.ts';
import type { Accounts, ResolvedAccount, UnreadableAccount } from '../linking/accounts.ts';
import type { AccountReader } from '../provider-gateway/account-reader.ts';
import type { SignedBalance } from '../provider-gateway/balance-sign.ts';
import type { CachedRead } from '../provider-gateway/gateway-types.ts';
import { requireCategory } from './account-category.ts';
import { ReadsAtOnce, SharedDeadline } from './reads-at-once.ts';

/**
 * `read` is null if it failed, and `failure` then says why; `retryAfterSeconds` says when a retry may succeed, or null
 * if that is unknown.
 */
export interface ListedBalance {
  readonly account: Account;
  readonly read: CachedRead<SignedBalance> | null;
  readonly failure: ErrorCode | null;
  readonly retryAfterSeconds: number | null;
}

/** `param`: the field that named the accounts; null if errors name none. `accept` may refuse an account. */
interface AskedBalances {
  readonly param: string | null;
  readonly accept: (connection: Connection) => void;
}

const USUAL: AskedBalances = { param: 'account', accept: () => undefined };

export interface BalanceReadsDependencies {
  readonly accounts: Pick<Accounts, 'resolveAll'>;
  readonly gateway: { readonly accounts: Pick<AccountReader, 'balance'> };
  readonly clock: Clock;
  readonly limits: Limits;
}

/** Balances of many accounts in one answer (docs/resources.md#balance). */
export class BalanceReads {
  readonly #deps: BalanceReadsDependencies;

  constructor(deps: BalanceReadsDependencies) {
    this.#deps = deps;
  }

  /**
   * In the requested order, each account once. One that cannot be read does not fail the others; all of them together
   * get the deadline of one read. Raises `parameter_invalid`, `resource_missing` and `wrong_endpoint_for_category`,
   * each with `param`, and what `accept` raises.
   */
  async list(
    owner: OwnerId,
    asked: readonly RowId<'account'>[],
    signal: AbortSignal,
    { param, accept }: AskedBalances = USUAL,
  ): Promise<ListedBalance[]> {
    const { accounts, limits } = this.#deps;
    const ids = [...new Set(asked)];
    if (ids.length > limits.balance_accounts) {
      throw invalidParameter('account', `At most ${limits.balance_accounts} accounts can be read at once.`);
    }
    const rule = { categories: ['banking'], what: 'Balances', param } as const;
    const found = await accounts.resolveAll(owner, ids, param, (connection) => {
      accept(connection);
      requireCategory(connection.provider, rule);
    });
    const room = new ReadsAtOnce(this.#deps, found.length);
    const deadline = new SharedDeadline(this.#deps, signal);
    try {
      return await Promise.all(found.map((account) => this.#balance(account, room, signal, deadline.signal)));
    } finally {
      deadline.end();
    }
  }

  async #balance(
    found: ResolvedAccount | UnreadableAccount,
    room: ReadsAtOnce,
    signal: AbortSignal,
    within: AbortSignal,
  ): Promise<ListedBalance> {
    const { account } = found;
    if ('error' in found) return unavailable(account, found.error);
    try {
      const read = await room.run(() => this.#deps.gateway.accounts.balance(found.gateway, {}, within));
      return { account, read, failure: null, retryAfterSeconds: null };
    } catch (error) {
      if (signal.aborted || !(error instanceof ServiceError)) throw error;
      return unavailable(account, error);
    }
  }
}

function unavailable(account: Account, error: ServiceError): ListedBalance {
  if (error.code === 'internal_error') throw error;
  return { account, read: null, failure: error.code, retryAfterSeconds: error.retryAfterSeconds };
}
