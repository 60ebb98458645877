import { randomUUID } from 'node:crypto';
import { type Static, Type } from 'typebox';
import type { AuthorizationServer } from '../shared/authorization-server.ts';
import { ControlError, SimulatorControl } from '../shared/control.ts';
import type { Faults } from '../shared/faults.ts';
import type { RequestLog } from '../shared/request-log.ts';
import type { ReceivedRow, ReceivedRows } from '../shared/simulator.ts';
import { VendorError } from '../shared/vendor-error.ts';
import { accountPath, shownValues } from './pages.ts';
import { Cleared, type HeldTransaction, type Plan } from './plan.ts';
import type { Saving } from './saving.ts';
import { planOf, USER } from './seed.ts';
import type { Settings } from './settings.ts';
import type { World } from './world.ts';

const strict = { additionalProperties: false };
const text = Type.String({ minLength: 1 });
const flag = Type.Optional(Type.Boolean());
const orNull = Type.Optional(Type.Union([Type.String(), Type.Null()]));
const cleared = Type.Optional(Cleared);

export const PlanBody = Type.Object({ name: text, currency: Type.String({ pattern: '^[A-Z]{3}$' }) }, strict);
export const RenameBody = Type.Object({ name: text }, strict);
export const AccountChange = Type.Object({ name: Type.Optional(text), closed: flag, deleted: flag }, strict);
export type AccountChange = Static<typeof AccountChange>;
export const CategoryChange = Type.Object({ name: Type.Optional(text), hidden: flag, deleted: flag }, strict);
export type CategoryChange = Static<typeof CategoryChange>;

/** A transaction as entered by a person. Milliunits. */
export const EntryBody = Type.Object(
  { account: text, date: text, amount: Type.Integer(), payee: orNull, memo: orNull, category: orNull },
  strict,
);
type Entry = Static<typeof EntryBody>;

/** What a person changes about a transaction. `split`: amounts of its parts. */
export const EditBody = Type.Object(
  {
    account: Type.Optional(text),
    date: Type.Optional(text),
    payee: orNull,
    memo: orNull,
    category: orNull,
    approved: flag,
    cleared,
    split: Type.Optional(Type.Array(Type.Integer(), { minItems: 2 })),
  },
  strict,
);
type Edit = Static<typeof EditBody>;

export const SettingsBody = Type.Object(
  {
    reimportsDeleted: flag,
    dayBeginsEarlierHours: Type.Optional(Type.Integer({ minimum: -12, maximum: 14 })),
    refusal: Type.Optional(
      Type.Union([
        Type.Null(),
        Type.Literal('subscription_lapsed'),
        Type.Literal('trial_expired'),
        Type.Literal('unauthorized_scope'),
        Type.Literal('data_limit_reached'),
      ]),
    ),
    refusedPayees: Type.Optional(Type.Array(Type.String())),
    renames: Type.Optional(Type.Record(Type.String(), Type.String())),
  },
  strict,
);
type SettingsChange = Static<typeof SettingsBody>;

interface PlanSummary {
  readonly planId: string;
  readonly name: string;
  readonly currency: string;
  readonly accounts: readonly {
    readonly accountId: string;
    readonly name: string;
    readonly closed: boolean;
    readonly deleted: boolean;
    readonly rows: number;
  }[];
  readonly categories: readonly { readonly categoryId: string; readonly name: string }[];
}

/** A transaction as shown to a person. Milliunits. */
interface ShownTransaction {
  readonly id: string;
  readonly account: string;
  readonly date: string;
  readonly amount: number;
  readonly payee: string | null;
  readonly memo: string | null;
  readonly category: string | null;
  readonly cleared: string;
  readonly approved: boolean;
  readonly importId: string | null;
  readonly matched: string | null;
}

interface Parts {
  readonly world: World;
  readonly saving: Saving;
  readonly settings: Settings;
  readonly authorizationServer: AuthorizationServer;
  readonly faults: Faults;
  readonly log: RequestLog;
  /** Calls of the user in the last hour. */
  readonly used: (user: string) => number;
  readonly changed: () => void;
}

/** What a person or a test may do in the simulated YNAB. Methods throw {@link ControlError} on bad input. */
export class YnabControl extends SimulatorControl implements ReceivedRows {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    super(parts.faults, parts.log);
    this.#parts = parts;
  }

  plans(): readonly PlanSummary[] {
    return this.#parts.world.plans.map((plan) => ({
      planId: plan.id,
      name: plan.name,
      currency: plan.currency.code,
      accounts: plan.accounts.map(({ id, name, closed, deleted }) => ({
        accountId: id,
        name,
        closed,
        deleted,
        rows: this.transactions(plan.id, id).length,
      })),
      categories: plan.categories().map(({ id, name }) => ({ categoryId: id, name })),
    }));
  }

  currencies(): ReadonlyMap<string, string> {
    return new Map(this.#parts.world.plans.map(({ id, currency }) => [id, currency.code.toLowerCase()]));
  }

  /** Creates a plan, with the accounts and categories that every plan starts with; returns its id. */
  addPlan(name: string, currency: string): string {
    const { world } = this.#parts;
    if (world.plans.some((plan) => plan.name === name))
      throw new ControlError('There is a plan of that name.');
    const plan = planOf(name, currency);
    world.plans.push(plan);
    this.#parts.changed();
    return plan.id;
  }

  renamePlan(id: string, name: string): void {
    this.#plan(id).name = name;
    this.#parts.changed();
  }

  deletePlan(id: string): void {
    const { world } = this.#parts;
    const plan = this.#plan(id);
    world.plans = world.plans.filter((one) => one !== plan);
    this.#parts.changed();
  }

  /** Transactions of an account, in the order of arrival. */
  transactions(planId: string, account: string): readonly ShownTransaction[] {
    const found: ShownTransaction[] = [];
    for (const one of this.#plan(planId).all())
      if (!one.deleted && one.account === account) found.push(shown(one));
    return found;
  }

  /** Enters a transaction by hand; returns its id. */
  enter(
    planId: string,
    { account, date, amount, payee = null, memo = null, category = null }: Entry,
  ): string {
    const entered = this.#vendor(() =>
      this.#parts.saving.create(this.#plan(planId), [
        { account_id: account, date, amount, payee_name: payee, memo, category_id: category, approved: true },
      ]),
    );
    this.#parts.changed();
    return entered.transactions[0]?.id ?? '';
  }

  edit(id: string, { split, ...fields }: Edit): void {
    const { plan, transaction } = this.#transaction(id);
    const parts = split?.map((amount) => ({ id: randomUUID(), amount, memo: null, category: null }));
    plan.change(transaction, { ...fields, ...(parts === undefined ? {} : { parts }) });
    this.#parts.changed();
  }

  deleteTransaction(id: string): void {
    const { plan, transaction } = this.#transaction(id);
    plan.change(transaction, { deleted: true });
    this.#parts.changed();
  }

  changeAccount(id: string, change: AccountChange): void {
    const account = this.#parts.world.plans.flatMap(({ accounts }) => accounts).find((one) => one.id === id);
    if (account === undefined) throw new ControlError('There is no such account.');
    Object.assign(account, change);
    this.#parts.changed();
  }

  changeCategory(id: string, change: CategoryChange): void {
    const category = this.#parts.world.plans.map((plan) => plan.category(id)).find((one) => one !== null);
    if (category === undefined || category === null) throw new ControlError('There is no such category.');
    Object.assign(category, change);
    this.#parts.changed();
  }

  /** As if the person had removed the application in YNAB's settings. */
  revoke(): void {
    this.#parts.authorizationServer.revokeSubject(USER);
  }

  change({ renames, ...settings }: SettingsChange): void {
    Object.assign(this.#parts.settings, settings);
    if (renames === undefined) return;
    this.#parts.settings.renames.clear();
    for (const [from, to] of Object.entries(renames)) this.#parts.settings.renames.set(from, to);
  }

  /** Calls of the last hour. */
  callsUsed(): number {
    return this.#parts.used(USER);
  }

  /** Whether people have granted anything that is still valid. */
  grants(): number {
    return this.#parts.authorizationServer.count;
  }

  /** Imported transactions; without those that a person entered. */
  rows(): readonly ReceivedRow[] {
    return this.#parts.world.plans.flatMap((plan) => {
      const found: ReceivedRow[] = [];
      for (const one of plan.all()) {
        if (one.deleted || one.importId === null) continue;
        found.push({ id: one.importId, place: one.account, values: shownValues(plan, one) });
      }
      return found;
    });
  }

  pages(): readonly string[] {
    const registers = this.#parts.world.plans.flatMap((plan) =>
      plan.accounts
        .filter(({ id }) => this.transactions(plan.id, id).length > 0)
        .map(({ id }) => accountPath(plan, id)),
    );
    return ['/', ...registers];
  }

  #plan(id: string): Plan {
    const found = this.#parts.world.plans.find((plan) => plan.id === id);
    if (found === undefined) throw new ControlError('There is no such plan.');
    return found;
  }

  #transaction(id: string): { readonly plan: Plan; readonly transaction: HeldTransaction } {
    for (const plan of this.#parts.world.plans) {
      const transaction = plan.transaction(id);
      if (transaction !== null) return { plan, transaction };
    }
    throw new ControlError('There is no such transaction.');
  }

  #vendor<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw error instanceof VendorError ? new ControlError(error.message) : error;
    }
  }
}

function shown(one: HeldTransaction): ShownTransaction {
  const { id, account, date, amount, payee, memo, category, cleared, approved, importId, matched } = one;
  return { id, account, date, amount, payee, memo, category, cleared, approved, importId, matched };
}
