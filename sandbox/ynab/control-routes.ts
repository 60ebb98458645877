import { bare, type ControlRoute } from '../shared/control-api.ts';
import { parseControl } from '../shared/control-input.ts';
import {
  AccountChange,
  CategoryChange,
  EditBody,
  EntryBody,
  PlanBody,
  RenameBody,
  SettingsBody,
  type YnabControl,
} from './control.ts';

/** The JSON interface of {@link YnabControl}; see docs/sandbox.md. */
export const CONTROL_ROUTES: readonly ControlRoute<YnabControl>[] = [
  ['GET', /^\/plans$/, (control) => ({ plans: control.plans() })],
  [
    'POST',
    /^\/plans$/,
    (control, { body }) => {
      const { name, currency } = parseControl(PlanBody, body);
      return { planId: control.addPlan(name, currency) };
    },
  ],
  [
    'POST',
    /^\/plans\/([^/]+)\/name$/,
    (control, { params: [id = ''], body }) => control.renamePlan(id, parseControl(RenameBody, body).name),
  ],
  ['POST', /^\/plans\/([^/]+)\/delete$/, bare((control, id) => control.deletePlan(id))],
  [
    'GET',
    /^\/plans\/([^/]+)\/accounts\/([^/]+)\/transactions$/,
    (control, { params: [plan = '', account = ''] }) => ({
      transactions: control.transactions(plan, account),
    }),
  ],
  [
    'POST',
    /^\/plans\/([^/]+)\/transactions$/,
    (control, { params: [plan = ''], body }) => ({ id: control.enter(plan, parseControl(EntryBody, body)) }),
  ],
  [
    'POST',
    /^\/transactions\/([^/]+)$/,
    (control, { params: [id = ''], body }) => control.edit(id, parseControl(EditBody, body)),
  ],
  ['POST', /^\/transactions\/([^/]+)\/delete$/, bare((control, id) => control.deleteTransaction(id))],
  [
    'POST',
    /^\/accounts\/([^/]+)$/,
    (control, { params: [id = ''], body }) => control.changeAccount(id, parseControl(AccountChange, body)),
  ],
  [
    'POST',
    /^\/categories\/([^/]+)$/,
    (control, { params: [id = ''], body }) => control.changeCategory(id, parseControl(CategoryChange, body)),
  ],
  ['POST', /^\/grants\/revoke$/, bare((control) => control.revoke())],
  ['POST', /^\/settings$/, (control, { body }) => control.change(parseControl(SettingsBody, body))],
  ['GET', /^\/calls$/, (control) => ({ lastHour: control.callsUsed() })],
  ['GET', /^\/rows$/, (control) => ({ rows: control.rows() })],
];
