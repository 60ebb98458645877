import { type Static, type TSchema, Type } from 'typebox';
import { OutgoingFailure } from '../../../platform/outgoing-failure.ts';
import type { Quota } from '../../../platform/quotas.ts';
import type { Limits } from '../../../vocabulary/limits.ts';
import type { LocalDate } from '../../../vocabulary/moments.ts';
import type { DestinationAccess } from '../destination-contract.ts';
import { DestinationFailure } from '../destination-failure.ts';
import { PERSON_WAIT_MS, RUN_WAIT_MS, type VendorCall, type VendorClient } from '../kit/vendor-client.ts';

/** Types of YNAB's API, as in its published description 1.85: the members used here. */

const text = Type.String();
const nullable = Type.Optional(Type.Union([Type.String(), Type.Null()]));
const flag = Type.Boolean();

const Account = Type.Object({ id: text, name: text, closed: flag, deleted: flag });

const CurrencyFormat = Type.Object({ iso_code: text });

const Plan = Type.Object({
  id: text,
  name: text,
  /** Null if YNAB does not have it. */
  currency_format: Type.Optional(Type.Union([CurrencyFormat, Type.Null()])),
  /** Only if requested. */
  accounts: Type.Optional(Type.Array(Account)),
});
type Plan = Static<typeof Plan>;

const Category = Type.Object({
  id: text,
  name: text,
  hidden: flag,
  deleted: flag,
  internal: Type.Optional(flag),
});

const CategoryGroup = Type.Object({
  name: text,
  hidden: flag,
  deleted: flag,
  internal: Type.Optional(flag),
  categories: Type.Array(Category),
});
type CategoryGroup = Static<typeof CategoryGroup>;

export const Transaction = Type.Object({
  id: text,
  account_id: text,
  date: text,
  /** Milliunits. */
  amount: Type.Integer(),
  memo: nullable,
  cleared: text,
  approved: flag,
  payee_name: nullable,
  category_id: nullable,
  import_id: nullable,
  /** The payee's name as imported. */
  import_payee_name: nullable,
  deleted: flag,
  subtransactions: Type.Array(Type.Object({ deleted: Type.Optional(flag) })),
});
export type Transaction = Static<typeof Transaction>;

const data = <T extends Type.TProperties>(members: T) => Type.Object({ data: Type.Object(members) });

const UserAnswer = data({ user: Type.Object({ id: text }) });
const PlansAnswer = data({ plans: Type.Array(Plan) });
const AccountsAnswer = data({ accounts: Type.Array(Account) });
const AccountAnswer = data({ account: Account });
const CategoriesAnswer = data({ category_groups: Type.Array(CategoryGroup) });
const TransactionsAnswer = data({ transactions: Type.Array(Transaction) });
const SavedAnswer = data({
  transactions: Type.Optional(Type.Array(Transaction)),
  duplicate_import_ids: Type.Optional(Type.Array(text)),
});
const AnyAnswer = Type.Object({});
export const Refusal = Type.Object({ error: Type.Object({ id: text, name: text, detail: text }) });

/** The fields of a transaction that this service sets. */
export interface SentFields {
  readonly account_id?: string;
  readonly date?: string;
  readonly amount?: number;
  readonly payee_name?: string | null;
  readonly memo?: string | null;
  readonly category_id?: string;
  readonly cleared?: 'cleared' | 'uncleared';
}

export type NewTransaction = Required<Omit<SentFields, 'category_id'>> &
  Pick<SentFields, 'category_id'> & { readonly import_id: string };
export type ChangedTransaction = SentFields & { readonly id: string };

/** What YNAB allows each token. Every call counts. */
const ALL_CALLS: Quota = { name: 'ynab-hour-all', amount: 200, windowMs: 3_600_000 };
/** Calls of runs also count here, so that ten are left for people who choose plans and accounts. */
const RUN_CALLS: Quota = { name: 'ynab-hour', amount: 190, windowMs: 3_600_000 };
const QUOTAS = { 'as a run': [RUN_CALLS, ALL_CALLS], 'as a person': [ALL_CALLS] } as const;

export interface Saved {
  readonly transactions: readonly Transaction[];
  /** Import ids that already existed in their account. */
  readonly duplicates: readonly string[];
}

/** One grant's calls of YNAB's API. Raises DestinationFailure, and VendorRefusal for final refusals. */
export class YnabApi {
  readonly #client: VendorClient;
  readonly #access: DestinationAccess;
  readonly #limits: Limits;
  readonly #quotas: readonly Quota[];
  readonly #longestWaitMs: number;

  /**
   * @param calls which quotas count its calls, and how long they may wait: as long as a run, or as a person at a page
   */
  constructor(client: VendorClient, access: DestinationAccess, limits: Limits, calls: keyof typeof QUOTAS) {
    this.#client = client;
    this.#access = access;
    this.#limits = limits;
    this.#quotas = QUOTAS[calls];
    this.#longestWaitMs = calls === 'as a run' ? RUN_WAIT_MS : PERSON_WAIT_MS;
  }

  /** The id of the person who granted access. Not counted itself, because the quota is per this id. */
  async user(signal: AbortSignal): Promise<string> {
    const answer = await this.#read('/user', UserAnswer, signal, { quotas: () => [] });
    return answer.data.user.id;
  }

  /** Every plan. @param accounts whether with their accounts, deleted ones left out by YNAB */
  async plans(accounts: boolean, signal: AbortSignal): Promise<readonly Plan[]> {
    const query = accounts ? ([['include_accounts', 'true']] as const) : [];
    return (await this.#read('/plans', PlansAnswer, signal, { query })).data.plans;
  }

  async accounts(plan: string, signal: AbortSignal) {
    return (await this.#read(`${pathOf(plan)}/accounts`, AccountsAnswer, signal)).data.accounts;
  }

  async categories(plan: string, signal: AbortSignal): Promise<readonly CategoryGroup[]> {
    return (await this.#read(`${pathOf(plan)}/categories`, CategoriesAnswer, signal)).data.category_groups;
  }

  /**
   * The plan's transactions of those days, in any account; null if they are too many for one answer. @param until null
   * for no end
   */
  async transactions(
    plan: string,
    since: LocalDate,
    until: LocalDate | null,
    signal: AbortSignal,
  ): Promise<readonly Transaction[] | null> {
    const last = until === null ? [] : [['until_date', until] as const];
    try {
      const answer = await this.#read(`${pathOf(plan)}/transactions`, TransactionsAnswer, signal, {
        query: [['since_date', since], ...last],
        // Fewer bytes than an answer may have values: an answer that is too large fails by its size, and can be halved.
        maxResponseBytes: this.#limits.answer_list_bytes,
      });
      return answer.data.transactions;
    } catch (error) {
      if (isTooLarge(error)) return null;
      throw error;
    }
  }

  /** Imports transactions; those whose import id already exists in their account are left out and returned. */
  create(plan: string, transactions: readonly NewTransaction[], signal: AbortSignal): Promise<Saved> {
    return this.#save('POST', plan, transactions, signal);
  }

  update(plan: string, transactions: readonly ChangedTransaction[], signal: AbortSignal): Promise<Saved> {
    return this.#save('PATCH', plan, transactions, signal);
  }

  /** Succeeds if the transaction is already gone. YNAB also answers 404 for a plan that is gone: that is a failure. */
  async remove(plan: string, transaction: string, signal: AbortSignal): Promise<void> {
    const path = `${pathOf(plan)}/transactions/${encodeURIComponent(transaction)}`;
    try {
      await this.#call({ ...WRITE, method: 'DELETE', path, expect: AnyAnswer, signal });
    } catch (error) {
      const gone = error instanceof DestinationFailure && error.code === 'destination_resource_missing';
      if (!gone || !(await this.#hasPlan(plan, signal))) throw error;
    }
  }

  /** Creates an account with a balance of zero. Not idempotent. */
  async createAccount(
    plan: string,
    account: { readonly name: string; readonly type: string },
    signal: AbortSignal,
  ) {
    const answer = await this.#call({
      ...WRITE,
      method: 'POST',
      path: `${pathOf(plan)}/accounts`,
      body: { account: { ...account, balance: 0 } },
      expect: AccountAnswer,
      repeatable: false,
      signal,
    });
    return answer.data.account;
  }

  async #hasPlan(plan: string, signal: AbortSignal): Promise<boolean> {
    return (await this.plans(false, signal)).some(({ id }) => id === plan);
  }

  async #save(
    method: 'POST' | 'PATCH',
    plan: string,
    transactions: readonly (NewTransaction | ChangedTransaction)[],
    signal: AbortSignal,
  ): Promise<Saved> {
    const path = `${pathOf(plan)}/transactions`;
    const body = { transactions };
    const { data } = await this.#call({ ...WRITE, method, path, body, expect: SavedAnswer, signal });
    return { transactions: data.transactions ?? [], duplicates: data.duplicate_import_ids ?? [] };
  }

  #read<T extends TSchema>(
    path: string,
    expect: T,
    signal: AbortSignal,
    more: Partial<Pick<VendorCall<T>, 'query' | 'quotas' | 'maxResponseBytes'>> = {},
  ): Promise<Static<T>> {
    return this.#call({ method: 'GET', path, expect, repeatable: true, writes: false, signal, ...more });
  }

  #call<T extends TSchema>(call: Omit<VendorCall<T>, 'quotas'> & Partial<Pick<VendorCall<T>, 'quotas'>>) {
    const quotas = (holder: string) => this.#quotas.map((quota) => ({ quota, key: holder }));
    return this.#client.call(this.#access, { quotas, longestWaitMs: this.#longestWaitMs, ...call });
  }
}

/** Transactions are recognised by their ids, so sending them twice is harmless. */
const WRITE = { writes: true, repeatable: true } as const;

function pathOf(plan: string): string {
  return `/plans/${encodeURIComponent(plan)}`;
}

function isTooLarge(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof OutgoingFailure && cause.kind === 'too_large';
}
