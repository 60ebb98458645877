import type { EnteredProblem } from '../../../vocabulary/entered-values.ts';
import type { Capability } from '../../../vocabulary/provider-kinds.ts';
import type { SetAside } from '../../../vocabulary/set-aside-rows.ts';
import type { Transaction } from '../../../vocabulary/transactions.ts';
import { UpstreamFailure } from '../../../vocabulary/upstream-failures.ts';
import { list, type WireObject } from '../kit/json.ts';
import { mapped, NO_FACE } from '../kit/set-aside.ts';
import type {
  BeginLink,
  BegunLink,
  CompleteLink,
  CustomerAccess,
  LinkOutcome,
  Provider,
  ProviderAccess,
  ProviderAccount,
  ProviderBalance,
  ProviderConsent,
  ProviderInstitution,
  TransactionQuery,
} from '../provider-contract.ts';
import { type Group, groupsOf, listsNothing } from './account-set.ts';
import { claimAddress } from './addresses.ts';
import { SimplefinClient, type SimplefinOptions } from './client.ts';
import { consentOf } from './consent.ts';
import { beginLink, completeLink } from './linking.ts';
import { mapAccount, mapBalance } from './map-account.ts';
import { accountIn, transactionPages, windowAt } from './transaction-pages.ts';

const CAPABILITIES: readonly Capability[] = [
  'institutions',
  'link',
  'reauthorize',
  'consents',
  'withdraw',
  'accounts',
  'balance',
  'transactions',
  'pending_transactions',
];
/** The only one that can be named before a link: what a token shares is known only from it. */
const BRIDGE = { id: 'simplefin', name: 'SimpleFIN' } as const;

/** The adapter of SimpleFIN servers, to which each person brings a token of their own. */
export function createSimplefinProvider(options: SimplefinOptions): SimplefinProvider {
  return new SimplefinProvider(options);
}

/** An access URL is the secret of a customer, and each login behind it a consent. */
export class SimplefinProvider implements Provider {
  readonly identifier = 'simplefin';
  readonly capabilities: ReadonlySet<Capability> = new Set(CAPABILITIES);
  readonly linksDirectly = true;
  /** A setup token can be claimed once. */
  readonly redeemsOnce = true;
  readonly asks: NonNullable<Provider['asks']>;
  readonly #client: SimplefinClient;

  constructor(options: SimplefinOptions) {
    this.#client = new SimplefinClient(options);
    this.asks = {
      page: options.createUrl,
      problemWith: (entered): EnteredProblem | null => claimAddress(entered, this.#client.rules).problem,
    };
  }

  async listInstitutions(): Promise<ProviderInstitution[]> {
    return [{ ...BRIDGE, shortName: BRIDGE.name, logo: '', available: true, status: null }];
  }

  async beginLink(request: BeginLink): Promise<BegunLink> {
    return beginLink(this.#client, request);
  }

  completeLink(request: CompleteLink, signal: AbortSignal): Promise<LinkOutcome> {
    return completeLink(this.#client, request, signal);
  }

  /** Asks no one: an access is identified by its URL. */
  async identifyCustomer({ secret }: CustomerAccess): Promise<string | null> {
    return secret.value === null ? null : this.#client.access(secret.value).digest;
  }

  /** Makes no call: only the person can disable an access, at the server (docs/providers.md#simplefin). */
  async deleteCustomer(): Promise<void> {}

  /** Makes no call either; the access URL is deleted with the last connection that uses it. */
  async withdraw(): Promise<void> {}

  async readConsent(access: ProviderAccess, signal: AbortSignal): Promise<ProviderConsent> {
    const state = await this.#stateOf(access, signal);
    return consentOf(access.consent, state, this.#client.clock.now());
  }

  async listAccounts(
    access: ProviderAccess,
    signal: AbortSignal,
    setAside?: SetAside,
  ): Promise<ProviderAccount[]> {
    const { accounts } = await this.#working(access, signal);
    return accounts.flatMap(
      (account) => mapped(account.row, () => mapAccount(account), NO_FACE, setAside) ?? [],
    );
  }

  async readBalance(
    access: ProviderAccess,
    account: string,
    _options: { live: boolean },
    signal: AbortSignal,
  ): Promise<ProviderBalance> {
    return mapBalance(accountIn(await this.#working(access, signal), account).row);
  }

  async *transactionPages(
    access: ProviderAccess,
    query: TransactionQuery,
    signal: AbortSignal,
  ): AsyncGenerator<Transaction[]> {
    const now = this.#client.clock.now();
    yield* transactionPages(
      {
        now,
        read: async (index) => {
          const set = await this.#set(access, now, index, signal);
          return { group: workingGroup(this.#find(access, set)), rows: hasRows(set) };
        },
      },
      query,
    );
  }

  async #stateOf(access: ProviderAccess, signal: AbortSignal): Promise<ProviderConsent['state']> {
    try {
      const set = await this.#set(access, this.#client.clock.now(), 0, signal);
      const group = this.#find(access, set);
      if (group === null) return 'ended';
      return group.loginLost ? 'login_lost' : 'active';
    } catch (error) {
      if (error instanceof UpstreamFailure && error.situation === 'grant_rejected') return 'ended';
      throw error;
    }
  }

  async #working(access: ProviderAccess, signal: AbortSignal): Promise<Group> {
    return workingGroup(this.#find(access, await this.#set(access, this.#client.clock.now(), 0, signal)));
  }

  /**
   * The latest window has the balances and pending rows as well, so that one request serves every read of the current
   * state.
   */
  #set({ secret }: ProviderAccess, now: number, index: number, signal: AbortSignal): Promise<WireObject> {
    const access = this.#client.access(secret.value);
    return this.#client.accountSet(access, windowAt(now, index), index === 0, signal);
  }

  /** Null if the access does not share the login any more. Raises UpstreamFailure if the server does not say. */
  #find({ secret, consent }: ProviderAccess, set: WireObject): Group | null {
    const { host } = this.#client.access(secret.value);
    const found = groupsOf(set, host).find(({ consents }) => consents.has(consent)) ?? null;
    if (listsNothing(set) && found?.loginLost !== true)
      throw new UpstreamFailure(
        'temporarily_unavailable',
        'The server reports an error and lists no account.',
      );
    return found;
  }
}

/** Raises UpstreamFailure if the access does not share the login, or the institution does not accept it any more. */
function workingGroup(group: Group | null): Group {
  if (group === null)
    throw new UpstreamFailure('grant_rejected', 'The access no longer shares this institution.');
  // The server answers with the rows that it copied before.
  if (group.loginLost)
    throw new UpstreamFailure('grant_rejected', 'The institution wants the person to sign in again.');
  return group;
}

function hasRows(set: WireObject): boolean {
  return list(set, 'accounts').some(
    ({ transactions }) => Array.isArray(transactions) && transactions.length > 0,
  );
}
