import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import type { AuthorizationServer } from '../shared/authorization-server.ts';
import type { KeptState } from '../shared/state-file.ts';
import { currencyOf } from './currency.ts';
import { Cleared, type HeldTransaction, Plan } from './plan.ts';
import type { World } from './world.ts';

const text = Type.String();
const flag = Type.Boolean();
const orNull = Type.Union([Type.String(), Type.Null()]);

const KeptPart = Type.Object({ id: text, amount: Type.Integer(), memo: orNull, category: orNull });
const KeptTransaction = Type.Object({
  id: text,
  account: text,
  date: text,
  amount: Type.Integer(),
  memo: orNull,
  cleared: Cleared,
  approved: flag,
  payee: orNull,
  category: orNull,
  importId: orNull,
  importPayee: orNull,
  matched: orNull,
  deleted: flag,
  knowledge: Type.Integer(),
  parts: Type.Array(KeptPart),
});
const KeptAccount = Type.Object({
  id: text,
  name: text,
  type: text,
  closed: flag,
  deleted: flag,
  transferPayee: text,
});
const KeptCategory = Type.Object({ id: text, name: text, hidden: flag, deleted: flag, internal: flag });
const KeptGroup = Type.Object({
  id: text,
  name: text,
  hidden: flag,
  internal: flag,
  categories: Type.Array(KeptCategory),
});
const KeptPlan = Type.Object({
  id: text,
  name: text,
  currency: text,
  knowledge: Type.Integer(),
  accounts: Type.Array(KeptAccount),
  groups: Type.Array(KeptGroup),
  transactions: Type.Array(KeptTransaction),
});
const Kept = Type.Object({ plans: Type.Array(KeptPlan), grants: Type.Unknown() });

/** What survives a restart: the plans with all their contents, and the grants. */
export function ynabState(world: World, authorizationServer: AuthorizationServer): KeptState {
  return {
    read: () => ({ plans: world.plans.map(keptPlan), grants: authorizationServer.read() }),
    restore: (state) => {
      if (!Value.Check(Kept, state) || !authorizationServer.restore(state.grants)) return false;
      world.plans = state.plans.map(restoredPlan);
      return true;
    },
  };
}

function keptPlan(plan: Plan): Static<typeof KeptPlan> {
  const { id, name, currency, knowledge, accounts, groups } = plan;
  return {
    id,
    name,
    currency: currency.code,
    knowledge,
    accounts: accounts.map((account) => ({ ...account })),
    groups: groups.map((group) => ({ ...group, categories: [...group.categories] })),
    transactions: [...plan.all()].map((one) => ({ ...one, parts: [...one.parts] })),
  };
}

function restoredPlan({ currency, knowledge, transactions, ...parts }: Static<typeof KeptPlan>): Plan {
  const plan = new Plan({ ...parts, currency: currencyOf(currency) });
  for (const one of transactions) plan.put(one satisfies HeldTransaction);
  plan.knowledge = knowledge;
  return plan;
}
