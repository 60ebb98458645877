import { Type } from 'typebox';
import { accountRoutes, newRows } from '../shared/bank-controls.ts';
import { bare, type ControlRoute } from '../shared/control-api.ts';
import { parseControl } from '../shared/control-input.ts';
import { ACCOUNT_STATES } from './bank-account.ts';
import { BANK_STATUSES } from './banks.ts';
import type { NzBankingControl } from './control.ts';

const strict = { additionalProperties: false };
const text = Type.String({ minLength: 1 });

const AppendBody = newRows({
  date: Type.Optional(text),
  type: Type.Optional(text),
  merchant: Type.Optional(text),
  category: Type.Optional(text),
  reference: Type.Optional(text),
});

const InstitutionBody = Type.Object(
  {
    status: Type.Optional(Type.Union(BANK_STATUSES.map((status) => Type.Literal(status)))),
    migrating: Type.Optional(Type.Boolean()),
  },
  strict,
);

const LoginBody = Type.Object({ active: Type.Boolean() }, strict);

const WebhookTargetBody = Type.Object({ url: Type.Union([text, Type.Null()]) }, strict);

/** The JSON interface of {@link NzBankingControl}; see docs/sandbox.md. */
export const CONTROL_ROUTES: readonly ControlRoute<NzBankingControl>[] = [
  ['GET', /^\/users$/, (control) => ({ users: control.users() })],
  ['POST', /^\/users\/([^/]+)\/revoke$/, bare((control, id) => control.revokeUser(id))],
  [
    'POST',
    /^\/accounts\/([^/]+)\/transactions$/,
    (control, { params: [id = ''], body }) => ({
      ids: control.appendTransactions(id, parseControl(AppendBody, body).transactions),
    }),
  ],
  ...accountRoutes(ACCOUNT_STATES),
  ['POST', /^\/transactions\/([^/]+)\/withdraw$/, bare((control, id) => control.withdraw(id))],
  ['POST', /^\/transactions\/([^/]+)\/restore$/, bare((control, id) => control.restore(id))],
  ['POST', /^\/authorisations\/([^/]+)\/revoke$/, bare((control, id) => control.revokeAuthorisation(id))],
  [
    'POST',
    /^\/authorisations\/([^/]+)\/login$/,
    (control, { params: [id = ''], body }) => control.setLogin(id, parseControl(LoginBody, body).active),
  ],
  [
    'POST',
    /^\/authorisations\/([^/]+)\/migrate$/,
    (control, { params: [id = ''] }) => ({ authorisationId: control.migrate(id) }),
  ],
  [
    'POST',
    /^\/institutions\/([^/]+)\/status$/,
    (control, { params: [id = ''], body }) => {
      const { status, migrating } = parseControl(InstitutionBody, body);
      if (status !== undefined) control.setInstitutionStatus(id, status);
      if (migrating !== undefined) control.setMigrating(id, migrating);
    },
  ],
  [
    'POST',
    /^\/webhook-target$/,
    (control, { body }) => control.setWebhookTarget(parseControl(WebhookTargetBody, body).url),
  ],
  ['GET', /^\/notifications$/, (control) => ({ notifications: control.notifications() })],
  ['GET', /^\/rows$/, (control, { query }) => control.rowsOf(query.get('account_id') ?? '')],
];
