import { Type } from 'typebox';
import { bare, type ControlRoute } from '../shared/control-api.ts';
import { parseControl } from '../shared/control-input.ts';
import { ACCOUNT_STATES } from './bank-account.ts';
import { BANK_STATUSES } from './banks.ts';
import type { NzBankingControl } from './control.ts';

const strict = { additionalProperties: false };
const text = Type.String({ minLength: 1 });

const AppendBody = Type.Object(
  {
    transactions: Type.Array(
      Type.Object(
        {
          amount: text,
          description: Type.String(),
          status: Type.Optional(Type.Union([Type.Literal('PENDING'), Type.Literal('POSTED')])),
          date: Type.Optional(text),
          type: Type.Optional(text),
          merchant: Type.Optional(text),
          category: Type.Optional(text),
          reference: Type.Optional(text),
        },
        strict,
      ),
    ),
  },
  strict,
);

const InstitutionBody = Type.Object(
  {
    status: Type.Optional(Type.Union(BANK_STATUSES.map((status) => Type.Literal(status)))),
    migrating: Type.Optional(Type.Boolean()),
  },
  strict,
);

const AccountStateBody = Type.Object(
  { state: Type.Union(ACCOUNT_STATES.map((state) => Type.Literal(state))) },
  strict,
);

const LoginBody = Type.Object({ active: Type.Boolean() }, strict);

const WebhookTargetBody = Type.Object({ url: Type.Union([text, Type.Null()]) }, strict);

/** The JSON interface of {@link NzBankingControl}; see docs/sandbox.md. */
export const CONTROL_ROUTES: readonly ControlRoute<NzBankingControl>[] = [
  ['GET', /^\/users$/, (control) => ({ users: control.users() })],
  ['POST', /^\/users\/([^/]+)\/revoke$/, bare((control, id) => control.revokeUser(id))],
  [
    'GET',
    /^\/accounts\/([^/]+)\/pending$/,
    (control, { params: [id = ''] }) => ({ pending: control.pendingRows(id) }),
  ],
  [
    'POST',
    /^\/accounts\/([^/]+)\/transactions$/,
    (control, { params: [id = ''], body }) => ({
      ids: control.appendTransactions(id, parseControl(AppendBody, body).transactions),
    }),
  ],
  [
    'POST',
    /^\/accounts\/([^/]+)\/state$/,
    (control, { params: [id = ''], body }) =>
      control.setAccountState(id, parseControl(AccountStateBody, body).state),
  ],
  ['POST', /^\/transactions\/([^/]+)\/settle$/, bare((control, id) => control.settle(id))],
  ['POST', /^\/transactions\/([^/]+)\/drop$/, bare((control, id) => control.drop(id))],
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
