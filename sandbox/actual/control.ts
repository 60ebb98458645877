import { ControlError, SimulatorControl } from '../shared/control.ts';
import type { Faults } from '../shared/faults.ts';
import type { RequestLog } from '../shared/request-log.ts';
import type { ReceivedRow, ReceivedRows } from '../shared/simulator.ts';
import { endToEnd } from './end-to-end.ts';
import { accountPath } from './pages.ts';
import {
  type AccountChange,
  type CategoryChange,
  type Edit,
  type Entry,
  type PayeeChange,
  PersonsWork,
} from './persons-work.ts';
import { type ShownTransaction, shownTransactions, shownValues } from './register.ts';
import { uuidOf } from './seed.ts';
import type { Sessions, SignInWay } from './sessions.ts';
import type { HeldBudget, World } from './world.ts';

interface BudgetSummary {
  readonly budgetId: string;
  readonly name: string;
  /** How many changes its devices have shared. */
  readonly messages: number;
  readonly accounts: readonly { readonly accountId: string; readonly name: string }[];
  readonly categories: readonly { readonly categoryId: string; readonly name: string }[];
  readonly payees: readonly { readonly payeeId: string; readonly name: string }[];
}

interface Parts {
  readonly world: World;
  readonly sessions: Sessions;
  readonly faults: Faults;
  readonly log: RequestLog;
  readonly changed: () => void;
}

/** What a person or a test may do in the simulated Actual. Methods throw {@link ControlError} on bad input. */
export class ActualControl extends SimulatorControl implements ReceivedRows {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    super(parts.faults, parts.log);
    this.#parts = parts;
  }

  budgets(): readonly BudgetSummary[] {
    return this.#standing().map(({ served, device }) => {
      device.sync();
      const named = (table: string) =>
        device
          .all(`SELECT id, name FROM ${table} WHERE tombstone = 0 ORDER BY name`)
          .map(({ id, name }) => ({ id: String(id), name: String(name) }));
      return {
        budgetId: served.id,
        name: served.name,
        messages: served.messageCount,
        accounts: named('accounts').map(({ id, name }) => ({ accountId: id, name })),
        categories: named('categories').map(({ id, name }) => ({ categoryId: id, name })),
        payees: named('payees').map(({ id, name }) => ({ payeeId: id, name })),
      };
    });
  }

  currencies(): ReadonlyMap<string, string | null> {
    return new Map(
      this.#standing().map(({ served, device }) => {
        const setting = (id: string) => device.first('SELECT value FROM preferences WHERE id = ?', id)?.value;
        const code = setting('flags.currency') === 'true' ? String(setting('defaultCurrencyCode')) : '';
        return [served.id, code === '' ? null : code.toLowerCase()];
      }),
    );
  }

  /** Creates a budget, with the accounts and categories that every budget starts with; returns its id. */
  addBudget(name: string, currency: string): string {
    if (this.#parts.world.budgets.some(({ served }) => served.name === name))
      throw new ControlError('There is a budget of that name.');
    const { served } = this.#parts.world.add(name, currency);
    this.#parts.changed();
    return served.id;
  }

  deleteBudget(id: string): void {
    this.#budget(id).served.deleted = true;
    this.#parts.changed();
  }

  setCurrency(id: string, currency: string): void {
    this.#work(id, (work) => work.setCurrency(currency));
  }

  /** Transactions of an account, newest first. */
  transactions(budget: string, account: string): readonly ShownTransaction[] {
    const { device } = this.#budget(budget);
    device.sync();
    return shownTransactions(device, account);
  }

  enter(budget: string, entry: Entry): string {
    return this.#work(budget, (work) => work.enter(entry));
  }

  edit(budget: string, id: string, edit: Edit): void {
    this.#work(budget, (work) => work.edit(id, edit));
  }

  deleteTransaction(budget: string, id: string): void {
    this.#work(budget, (work) => work.deleteTransaction(id));
  }

  changeAccount(budget: string, id: string, change: AccountChange): void {
    this.#work(budget, (work) => work.changeAccount(id, change));
  }

  changeCategory(budget: string, id: string, change: CategoryChange): void {
    this.#work(budget, (work) => work.changeCategory(id, change));
  }

  changePayee(budget: string, id: string, change: PayeeChange): void {
    this.#work(budget, (work) => work.changePayee(id, change));
  }

  /** Uploads the budget as it is now, as devices do every week. */
  upload(id: string): void {
    const { device } = this.#budget(id);
    device.sync();
    device.upload();
    this.#parts.changed();
  }

  resetSync(id: string): void {
    const { device } = this.#budget(id);
    device.sync();
    device.resetSync();
    this.#parts.changed();
  }

  /** Encrypts the budget end to end, which resets its sync. */
  encrypt(id: string, password: string): void {
    const { device, served } = this.#budget(id);
    device.sync();
    device.encryption = endToEnd(uuidOf('key', id, password), password);
    served.keySalt = device.encryption.salt;
    device.resetSync();
    this.#parts.changed();
  }

  /** Changes the password of the server; its session stays valid. */
  changePassword(password: string): void {
    this.#parts.sessions.password = password;
    this.#parts.changed();
  }

  /** Changes how the server lets people in. */
  signInBy(way: SignInWay): void {
    this.#parts.sessions.way = way;
  }

  /** Ends the session, as when it expires. */
  endSession(): void {
    this.#parts.sessions.end();
  }

  /** Imported transactions, as they are in the budget; without those that a person entered. */
  rows(): readonly ReceivedRow[] {
    return this.#standing().flatMap((budget) => {
      budget.device.sync();
      return shownTransactions(budget.device).flatMap((one): ReceivedRow[] =>
        one.importedId === null
          ? []
          : [{ id: one.importedId, place: one.account, values: shownValues(budget, one) }],
      );
    });
  }

  pages(): readonly string[] {
    const registers = this.#standing().flatMap((budget) => {
      budget.device.sync();
      const accounts = new Set(shownTransactions(budget.device).map(({ account }) => account));
      return [...accounts].map((account) => accountPath(budget, account));
    });
    return ['/', ...registers];
  }

  #standing(): readonly HeldBudget[] {
    return this.#parts.world.budgets.filter(({ served }) => !served.deleted);
  }

  #budget(id: string): HeldBudget {
    const found = this.#standing().find(({ served }) => served.id === id);
    if (found === undefined) throw new ControlError('There is no such budget.');
    return found;
  }

  /** Done on the device, on top of others' changes, and sent at once. */
  #work<T>(id: string, act: (work: PersonsWork) => T): T {
    const budget = this.#budget(id);
    budget.device.sync();
    const result = act(new PersonsWork(budget));
    budget.device.sync();
    this.#parts.changed();
    return result;
  }
}
