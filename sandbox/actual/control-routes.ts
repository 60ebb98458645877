import { bare, type ControlRoute } from '../shared/control-api.ts';
import { parseControl } from '../shared/control-input.ts';
import type { ActualControl } from './control.ts';
import {
  AccountChange,
  BudgetBody,
  CategoryChange,
  CurrencyBody,
  EditBody,
  EntryBody,
  PasswordBody,
  PayeeChange,
} from './persons-work.ts';

type Act = ControlRoute<ActualControl>[2];
/** An action on something of a budget. */
const within =
  (act: (control: ActualControl, budget: string, id: string, body: string) => unknown): Act =>
  (control, { params: [budget = '', id = ''], body }) =>
    act(control, budget, id, body);

/** The JSON interface of {@link ActualControl}; see docs/sandbox.md. */
export const CONTROL_ROUTES: readonly ControlRoute<ActualControl>[] = [
  ['GET', /^\/budgets$/, (control) => ({ budgets: control.budgets() })],
  [
    'POST',
    /^\/budgets$/,
    (control, { body }) => {
      const { name, currency } = parseControl(BudgetBody, body);
      return { budgetId: control.addBudget(name, currency) };
    },
  ],
  [
    'POST',
    /^\/budgets\/([^/]+)\/currency$/,
    within((control, id, _, body) => control.setCurrency(id, parseControl(CurrencyBody, body).currency)),
  ],
  [
    'POST',
    /^\/budgets\/([^/]+)\/encrypt$/,
    within((control, id, _, body) => control.encrypt(id, parseControl(PasswordBody, body).password)),
  ],
  ['POST', /^\/budgets\/([^/]+)\/delete$/, bare((control, id) => control.deleteBudget(id))],
  ['POST', /^\/budgets\/([^/]+)\/upload$/, bare((control, id) => control.upload(id))],
  ['POST', /^\/budgets\/([^/]+)\/reset_sync$/, bare((control, id) => control.resetSync(id))],
  [
    'GET',
    /^\/budgets\/([^/]+)\/accounts\/([^/]+)\/transactions$/,
    within((control, budget, id) => ({ transactions: control.transactions(budget, id) })),
  ],
  [
    'POST',
    /^\/budgets\/([^/]+)\/transactions$/,
    within((control, budget, _, body) => ({ id: control.enter(budget, parseControl(EntryBody, body)) })),
  ],
  [
    'POST',
    /^\/budgets\/([^/]+)\/transactions\/([^/]+)$/,
    within((control, budget, id, body) => control.edit(budget, id, parseControl(EditBody, body))),
  ],
  [
    'POST',
    /^\/budgets\/([^/]+)\/transactions\/([^/]+)\/delete$/,
    within((control, budget, id) => control.deleteTransaction(budget, id)),
  ],
  [
    'POST',
    /^\/budgets\/([^/]+)\/accounts\/([^/]+)$/,
    within((control, budget, id, body) =>
      control.changeAccount(budget, id, parseControl(AccountChange, body)),
    ),
  ],
  [
    'POST',
    /^\/budgets\/([^/]+)\/categories\/([^/]+)$/,
    within((control, budget, id, body) =>
      control.changeCategory(budget, id, parseControl(CategoryChange, body)),
    ),
  ],
  [
    'POST',
    /^\/budgets\/([^/]+)\/payees\/([^/]+)$/,
    within((control, budget, id, body) => control.changePayee(budget, id, parseControl(PayeeChange, body))),
  ],
  [
    'POST',
    /^\/password$/,
    (control, { body }) => control.changePassword(parseControl(PasswordBody, body).password),
  ],
  ['POST', /^\/session\/end$/, bare((control) => control.endSession())],
  ['GET', /^\/rows$/, (control) => ({ rows: control.rows() })],
];
