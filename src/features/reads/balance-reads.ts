import { bulkhead, type IPolicy } from 'cockatiel';
import type { ProviderBalance } from '../../connectors/providers/provider-contract.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Account } from '../../storage/accounts.ts';
import type { RowId } from '../../vocabulary/ids.ts';
import type { Limits } from '../../vocabulary/limits.ts';
import { invalidParameter, ServiceError } from '../../vocabulary/service-error.ts';
import type { Accounts, ResolvedAccount, UnreadableAccount } from '../linking/accounts.ts';
import type { CachedRead } from '../provider-gateway/gateway-types.ts';
import type { ProviderGateway } from '../provider-gateway/provider-gateway.ts';
import { requireCategory } from './account-category.ts';

/** Reads of one list that are under way together; other callers want the provider too. */
const AT_ONCE = 8;
/** With those that are slow: a bank that hangs must not take every place there is at the provider. */
const AT_MOST = 24;
/** A read that has taken this part of the deadline is slow: it goes on beside the others and keeps none of them waiting. */
const SLOW_PART = 10;

/** `read` is null where it failed; `retryAfterSeconds` says when it may go better, null where nobody knows. */
export interface ListedBalance {
  readonly account: Account;
  readonly read: CachedRead<ProviderBalance> | null;
  readonly retryAfterSeconds: number | null;
}

export interface BalanceReadsDependencies {
  readonly accounts: Pick<Accounts, 'resolveAll'>;
  readonly gateway: Pick<ProviderGateway, 'balance'>;
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
   * In the order asked, each account once. One that cannot be read does not fail the others; all of them together get
   * the deadline of one read. Raises `parameter_invalid`, `resource_missing` and `wrong_endpoint_for_category`, each
   * with param `account`.
   */
  async list(
    owner: RowId<'account_record'>,
    asked: readonly RowId<'account'>[],
    signal: AbortSignal,
  ): Promise<ListedBalance[]> {
    const { accounts, limits } = this.#deps;
    const ids = [...new Set(asked)];
    if (ids.length > limits.balance_accounts) {
      throw invalidParameter('account', `At most ${limits.balance_accounts} accounts can be read at once.`);
    }
    const rule = { category: 'banking', what: 'Balances', param: 'account' } as const;
    const found = await accounts.resolveAll(owner, ids, 'account', ({ provider }) =>
      requireCategory(provider, rule),
    );
    const room = { quick: bulkhead(AT_ONCE, found.length), all: bulkhead(AT_MOST, found.length) };
    return this.#withinDeadline(signal, (within) =>
      Promise.all(found.map((account) => this.#balance(account, room, signal, within))),
    );
  }

  async #balance(
    found: ResolvedAccount | UnreadableAccount,
    room: Room,
    signal: AbortSignal,
    within: AbortSignal,
  ): Promise<ListedBalance> {
    const { account } = found;
    if ('error' in found) return unavailable(account, found.error);
    try {
      const read = await room.all.execute(async () => {
        const { begun } = await room.quick.execute(() => this.#begin(found, within));
        return begun;
      });
      return { account, read, retryAfterSeconds: null };
    } catch (error) {
      if (signal.aborted || !(error instanceof ServiceError)) throw error;
      return unavailable(account, error);
    }
  }

  /** The read, once it has ended or turned out slow; in an object, so that nobody waits for its end here. */
  async #begin(
    { gateway: account }: ResolvedAccount,
    within: AbortSignal,
  ): Promise<{ readonly begun: Promise<CachedRead<ProviderBalance>> }> {
    const { gateway, clock, limits } = this.#deps;
    const begun = gateway.balance(account, {}, within);
    const ended = new AbortController();
    const end = () => ended.abort();
    begun.then(end, end);
    await clock.sleep(limits.read_deadline_ms / SLOW_PART, ended.signal).catch(() => undefined);
    return { begun };
  }

  async #withinDeadline<T>(signal: AbortSignal, work: (within: AbortSignal) => Promise<T>): Promise<T> {
    const { clock, limits } = this.#deps;
    const late = new AbortController();
    const done = new AbortController();
    clock.sleep(limits.read_deadline_ms, done.signal).then(
      () => late.abort(new ServiceError('upstream_timeout')),
      () => undefined,
    );
    try {
      return await work(AbortSignal.any([signal, late.signal]));
    } finally {
      done.abort();
    }
  }
}

interface Room {
  readonly quick: IPolicy;
  readonly all: IPolicy;
}

function unavailable(account: Account, error: ServiceError): ListedBalance {
  if (error.code === 'internal_error') throw error;
  return { account, read: null, retryAfterSeconds: error.retryAfterSeconds };
}
