import { randomUUID } from 'node:crypto';
import { json, type Reply } from '../shared/reply.ts';
import type { SimulatedRequest } from '../shared/request.ts';
import { ynabError } from './errors.ts';
import type { HeldTransaction, Plan } from './plan.ts';
import { accountJson, accountsJson, currencyJson, groupJson, planJson } from './plan-json.ts';
import { AccountBody, bodyOf, CreateBody, UpdateBody } from './save-input.ts';
import type { Saving } from './saving.ts';
import { accountOf, USER } from './seed.ts';
import { transactionJson } from './transaction-json.ts';
import type { World } from './world.ts';

const YEAR_MS = 365 * 86_400_000;
const TYPES = ['uncategorized', 'unapproved'] as const;

/** The operations of the vendor's API. What they throw becomes a refusal. */
export class Api {
  readonly #world: World;
  readonly #saving: Saving;
  readonly #now: () => number;

  constructor(world: World, saving: Saving, now: () => number) {
    this.#world = world;
    this.#saving = saving;
    this.#now = now;
  }

  user(): Reply {
    return data(200, { user: { id: USER } });
  }

  plans({ query }: SimulatedRequest): Reply {
    requireQuery(query, ['include_accounts']);
    const accounts = query.get('include_accounts') === 'true';
    const month = `${this.#today().slice(0, 7)}-01`;
    return data(200, {
      plans: this.#world.plans.map((plan) => planJson(plan, month, accounts)),
      default_plan: null,
    });
  }

  settings(request: SimulatedRequest): Reply {
    const { currency } = this.#plan(request);
    return data(200, {
      settings: { date_format: { format: 'YYYY-MM-DD' }, currency_format: currencyJson(currency) },
    });
  }

  accounts(request: SimulatedRequest): Reply {
    const plan = this.#plan(request);
    return data(200, { accounts: accountsJson(plan), server_knowledge: plan.knowledge });
  }

  account(request: SimulatedRequest): Reply {
    const plan = this.#plan(request);
    const account = plan.account(request.params.account ?? '');
    if (account === null) throw ynabError('resource_not_found', 'Account not found');
    return data(200, { account: accountJson(plan, account) });
  }

  createAccount(request: SimulatedRequest): Reply {
    const plan = this.#plan(request);
    const { account: asked } = bodyOf(AccountBody, request);
    const account = accountOf(randomUUID(), asked.name, asked.type);
    plan.accounts.push(account);
    plan.knowledge += 1;
    if (asked.balance !== 0) {
      const [date, payee] = [this.#today(), 'Starting Balance'];
      const opening = { account_id: account.id, date, amount: asked.balance, payee_name: payee };
      this.#saving.create(plan, [{ ...opening, cleared: 'cleared', approved: true }]);
    }
    return data(201, { account: accountJson(plan, account) });
  }

  categories(request: SimulatedRequest): Reply {
    const plan = this.#plan(request);
    return data(200, { category_groups: plan.groups.map(groupJson), server_knowledge: plan.knowledge });
  }

  transactions(request: SimulatedRequest): Reply {
    const plan = this.#plan(request);
    const found = this.#asked(plan, request, () => true);
    return data(200, { transactions: found, server_knowledge: plan.knowledge });
  }

  accountTransactions(request: SimulatedRequest): Reply {
    const plan = this.#plan(request);
    const id = request.params.account ?? '';
    if (plan.account(id) === null) throw ynabError('resource_not_found', 'Account not found');
    const found = this.#asked(plan, request, ({ account }) => account === id);
    return data(200, { transactions: found, server_knowledge: plan.knowledge });
  }

  transaction(request: SimulatedRequest): Reply {
    const plan = this.#plan(request);
    const transaction = transactionJson(plan, this.#transaction(plan, request));
    return data(200, { transaction, server_knowledge: plan.knowledge });
  }

  remove(request: SimulatedRequest): Reply {
    const plan = this.#plan(request);
    const transaction = this.#transaction(plan, request);
    plan.change(transaction, { deleted: true });
    return data(200, { transaction: transactionJson(plan, transaction), server_knowledge: plan.knowledge });
  }

  /** A known one on its own is refused; of several, the known ones are left out. */
  create(request: SimulatedRequest): Reply {
    const plan = this.#plan(request);
    const { transaction: one, transactions: several } = bodyOf(CreateBody, request);
    if ((one === undefined) === (several === undefined))
      throw ynabError('bad_request', 'either transaction or transactions must be specified');
    if (one !== undefined && this.#saving.isImported(plan, one))
      throw ynabError('conflict', 'A transaction with the same import_id exists on the account');
    const { transactions, duplicates } = this.#saving.create(plan, several ?? [one ?? {}]);
    const shown = transactions.map((transaction) => transactionJson(plan, transaction));
    return data(201, {
      transaction_ids: transactions.map(({ id }) => id),
      ...(several === undefined
        ? { transaction: shown[0] ?? {} }
        : { transactions: shown, duplicate_import_ids: duplicates }),
      server_knowledge: plan.knowledge,
    });
  }

  update(request: SimulatedRequest): Reply {
    const plan = this.#plan(request);
    const saved = this.#saving.update(plan, bodyOf(UpdateBody, request).transactions);
    return data(209, {
      transaction_ids: saved.map(({ id }) => id),
      transactions: saved.map((transaction) => transactionJson(plan, transaction)),
      duplicate_import_ids: [],
      server_knowledge: plan.knowledge,
    });
  }

  #plan({ params }: SimulatedRequest): Plan {
    return this.#world.plan(params.plan ?? '');
  }

  #transaction(plan: Plan, { params }: SimulatedRequest): HeldTransaction {
    const found = plan.transaction(params.transaction ?? '');
    if (found === null) throw ynabError('resource_not_found', 'Transaction not found');
    return found;
  }

  /** A year back if no day is given. Deleted ones only among changes since some knowledge. */
  #asked(plan: Plan, { query }: SimulatedRequest, of: (transaction: HeldTransaction) => boolean) {
    requireQuery(query, ['since_date', 'until_date', 'type', 'last_knowledge_of_server']);
    const since = dayOf(query, 'since_date') ?? dayAt(this.#now() - YEAR_MS);
    const until = dayOf(query, 'until_date') ?? '9999-12-31';
    const known = query.get('last_knowledge_of_server');
    const type = TYPES.find((one) => one === query.get('type')) ?? null;
    if (query.has('type') && type === null) throw ynabError('bad_request', 'type is invalid');
    if (known !== null && !/^\d+$/.test(known))
      throw ynabError('bad_request', 'last_knowledge_of_server is invalid');
    const found: HeldTransaction[] = [];
    for (const one of plan.all()) {
      if (known === null ? one.deleted : one.knowledge <= Number(known)) continue;
      if (one.date < since || one.date > until || !of(one)) continue;
      if (type === 'unapproved' && one.approved) continue;
      if (type === 'uncategorized' && one.category !== null) continue;
      found.push(one);
    }
    found.sort((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0));
    return found.map((one) => transactionJson(plan, one));
  }

  #today(): string {
    return dayAt(this.#now());
  }
}

function data(status: number, value: Parameters<typeof json>[1]): Reply {
  return json(status, { data: value });
}

function dayAt(now: number): string {
  return new Date(now).toISOString().slice(0, 10);
}

function dayOf(query: URLSearchParams, name: string): string | null {
  const day = query.get(name);
  if (day !== null && (!/^\d{4}-\d{2}-\d{2}$/.test(day) || Number.isNaN(Date.parse(day))))
    throw ynabError('bad_request', `${name} is invalid`);
  return day;
}

function requireQuery(query: URLSearchParams, known: readonly string[]): void {
  for (const name of query.keys())
    if (!known.includes(name) || query.getAll(name).length > 1)
      throw ynabError('bad_request', `${name} is not a parameter of this request, or is given twice`);
}
