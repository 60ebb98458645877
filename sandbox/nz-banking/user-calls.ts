import { isNegative, negateDecimal } from '../shared/decimal.ts';
import type { JsonObject } from '../shared/json.ts';
import type { Reply } from '../shared/reply.ts';
import { checkQuery, type SimulatedRequest } from '../shared/request.ts';
import { notFound } from '../shared/vendor-error.ts';
import type { Banks } from './banks.ts';
import { item, items, succeeded } from './errors.ts';
import { categoriesJson } from './rows/categories.ts';
import type { SharedAccount, SharedAccounts } from './shared-accounts.ts';
import { REST_MS, type User, type Users } from './users.ts';
import type { Webhooks } from './webhooks.ts';

/** Users, their accounts and logins, refreshes, and the lists of the app. */
export class UserCalls {
  readonly #users: Users;
  readonly #banks: Banks;
  readonly #accounts: SharedAccounts;
  readonly #webhooks: Webhooks;
  readonly #now: () => number;

  constructor(
    parts: {
      readonly users: Users;
      readonly banks: Banks;
      readonly accounts: SharedAccounts;
      readonly webhooks: Webhooks;
    },
    now: () => number,
  ) {
    this.#users = parts.users;
    this.#banks = parts.banks;
    this.#accounts = parts.accounts;
    this.#webhooks = parts.webhooks;
    this.#now = now;
  }

  /** `GET /me` */
  me({ query }: SimulatedRequest, { id, grantedAt }: User): Reply {
    checkQuery(query, []);
    return item({
      _id: id,
      access_granted_at: new Date(grantedAt).toISOString(),
      email: `${id}@sandbox.example`,
    });
  }

  /** `DELETE /token` */
  revoke(_request: SimulatedRequest, user: User): Reply {
    this.#users.revoke(user);
    this.#webhooks.tokenDeleted(user);
    return succeeded();
  }

  /** `GET /accounts` */
  accounts({ query }: SimulatedRequest, user: User): Reply {
    checkQuery(query, []);
    return items(this.#accounts.of(user).map((one) => accountJson(one, this.#accounts, this.#banks)));
  }

  /** `GET /accounts/{id}` */
  account({ query, params }: SimulatedRequest, user: User): Reply {
    checkQuery(query, []);
    const found = this.#accounts.of(user).find(({ id }) => id === params.id);
    if (found === undefined) throw notFound('not_found', 'Account not found');
    return item(accountJson(found, this.#accounts, this.#banks));
  }

  /** `DELETE /authorisations/{id}` */
  endAuthorisation({ params }: SimulatedRequest, user: User): Reply {
    const login = user.authorisations.find(({ id }) => id === params.id);
    if (login === undefined) throw notFound('not_found', 'Authorisation not found');
    const ids = this.#accounts.under(user, login).map(({ id }) => id);
    this.#users.end(user, login.id);
    this.#webhooks.accountsChanged(ids, user, 'DELETE');
    return succeeded();
  }

  /** `POST /refresh` and `POST /refresh/{id}`: accepted even if it is too soon, but then without effect. */
  refresh({ params }: SimulatedRequest, user: User): Reply {
    const now = this.#now();
    const wanted = user.authorisations.filter((login) => {
      if (params.id === undefined) return true;
      const bank = this.#banks.ofConnection(params.id)?.key;
      return login.bank === bank || this.#accounts.under(user, login).some(({ id }) => id === params.id);
    });
    if (params.id !== undefined && wanted.length === 0) throw notFound('not_found', 'Not found');
    for (const login of wanted) {
      const reachable = login.active && this.#banks.get(login.bank)?.status === 'HEALTHY';
      if (reachable && now - login.refreshedAt >= REST_MS) login.refreshedAt = now;
    }
    return succeeded();
  }

  /** `GET /connections` */
  connections({ query }: SimulatedRequest): Reply {
    checkQuery(query, []);
    return items(this.#banks.list());
  }

  /** `GET /connections/{id}` */
  connection({ params }: SimulatedRequest): Reply {
    const found = this.#banks.list().find((bank) => bank._id === params.id);
    if (found === undefined) throw notFound('not_found', 'Connection not found');
    return item(found);
  }

  /** `GET /categories` */
  categories({ query }: SimulatedRequest): Reply {
    checkQuery(query, []);
    return items(categoriesJson());
  }

  /** `GET /categories/{id}` */
  category({ params }: SimulatedRequest): Reply {
    const found = categoriesJson().find((category) => category._id === params.id);
    if (found === undefined) throw notFound('not_found', 'Category not found');
    return item(found);
  }
}

const OWED: ReadonlySet<string> = new Set(['CREDITCARD', 'LOAN']);

/** One account as the vendor writes it. */
function accountJson(shared: SharedAccount, accounts: SharedAccounts, banks: Banks): JsonObject {
  const { id, account, authorisation, bank, seenAt } = shared;
  const { plan, number } = account;
  const refreshed = new Date(seenAt).toISOString();
  return {
    _id: id,
    ...(authorisation.generation > 0 ? { _migrated: account.idAt(authorisation.generation - 1) } : {}),
    _authorisation: authorisation.id,
    _credentials: authorisation.id,
    connection: banks.info(bank, authorisation.official),
    name: plan.name,
    status: authorisation.active ? 'ACTIVE' : 'INACTIVE',
    formatted_account: plan.type === 'CREDITCARD' ? `4000-****-****-${number.slice(-7, -3)}` : number,
    type: plan.type,
    attributes: plan.silent === true ? [] : ['TRANSACTIONS', 'TRANSFER_TO', 'TRANSFER_FROM'],
    balance: balanceJson(shared),
    refreshed: {
      balance: refreshed,
      meta: refreshed,
      ...(plan.silent !== true && accounts.isCopied(shared) ? { transactions: refreshed } : {}),
    },
    meta: { holder: 'SANDBOX CUSTOMER' },
  };
}

function balanceJson({ account, bank, seenAt }: SharedAccount): JsonObject {
  const { plan, currency } = account;
  const balance = account.balanceAt(seenAt);
  const turned = bank.positiveDebt && OWED.has(plan.type);
  const limit = Number(plan.limit ?? 0);
  return {
    currency,
    current: Number(turned ? negateDecimal(balance) : balance),
    ...(plan.type === 'LOAN' ? {} : { available: Math.round((Number(balance) + limit) * 100) / 100 }),
    ...(plan.limit === undefined ? {} : { limit }),
    ...(OWED.has(plan.type) ? {} : { overdrawn: isNegative(balance) }),
  };
}
