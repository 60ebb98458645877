import { Type } from 'typebox';
import { accountRoutes, newRows } from '../shared/bank-controls.ts';
import { bare, type ControlRoute } from '../shared/control-api.ts';
import { parseControl } from '../shared/control-input.ts';
import type { AuBankingControl } from './control.ts';
import { EVENTS } from './notifications.ts';

const strict = { additionalProperties: false };
const text = Type.String({ minLength: 1 });

const NewCustomerBody = Type.Object(
  { institution: Type.Optional(text), customer: text, name: Type.Optional(text), like: Type.Optional(text) },
  strict,
);

const AppendBody = newRows({
  executedAt: Type.Optional(Type.Union([text, Type.Null()])),
  postedAt: Type.Optional(text),
  currency: Type.Optional(text),
  type: Type.Optional(text),
  reference: Type.Optional(Type.String()),
  transactionId: Type.Optional(text),
  merchantName: Type.Optional(text),
  merchantCategoryCode: Type.Optional(text),
  secondaryCategory: Type.Optional(text),
});

const ChangeBody = Type.Object(
  { amount: Type.Optional(text), description: Type.Optional(Type.String()) },
  strict,
);

const AmendBody = Type.Object(
  {
    amount: Type.Optional(text),
    description: Type.Optional(Type.String()),
    postedAt: Type.Optional(text),
    executedAt: Type.Optional(text),
  },
  strict,
);

const InstitutionStatusBody = Type.Object(
  { status: Type.Union([Type.Literal('HEALTHY'), Type.Literal('DEGRADED'), Type.Literal('OUTAGE')]) },
  strict,
);

const NotificationBody = Type.Object(
  { event: Type.Union(EVENTS.map((event) => Type.Literal(event))), consent: text },
  strict,
);

/** The JSON interface of {@link AuBankingControl}; see docs/sandbox.md. */
export const CONTROL_ROUTES: readonly ControlRoute<AuBankingControl>[] = [
  ['GET', /^\/customers$/, (control) => ({ customers: control.customers() })],
  [
    'POST',
    /^\/customers$/,
    (control, { body }) => control.createCustomer(parseControl(NewCustomerBody, body)),
  ],
  [
    'POST',
    /^\/accounts\/([^/]+)\/transactions$/,
    (control, { params: [id = ''], body }) => ({
      ids: control.appendTransactions(id, parseControl(AppendBody, body).transactions),
    }),
  ],
  ...accountRoutes(['OPEN', 'CLOSED', 'GONE'] as const),
  [
    'POST',
    /^\/transactions\/([^/]+)\/change$/,
    (control, { params: [id = ''], body }) => control.change(id, parseControl(ChangeBody, body)),
  ],
  [
    'POST',
    /^\/transactions\/([^/]+)\/amend$/,
    (control, { params: [id = ''], body }) => control.amend(id, parseControl(AmendBody, body)),
  ],
  ['POST', /^\/transactions\/([^/]+)\/withdraw$/, bare((control, id) => control.withdraw(id))],
  ['POST', /^\/transactions\/([^/]+)\/restore$/, bare((control, id) => control.restore(id))],
  ['GET', /^\/end-users$/, (control) => ({ end_users: control.endUsers() })],
  ['GET', /^\/consents$/, (control) => ({ consents: control.consents() })],
  ['POST', /^\/consents\/([^/]+)\/revoke$/, bare((control, id) => control.revokeConsent(id))],
  ['POST', /^\/consents\/([^/]+)\/expire$/, bare((control, id) => control.expireConsent(id))],
  [
    'POST',
    /^\/institutions\/([^/]+)\/status$/,
    (control, { params: [id = ''], body }) =>
      control.setInstitutionStatus(id, parseControl(InstitutionStatusBody, body).status),
  ],
  ['GET', /^\/notifications$/, (control) => ({ notifications: control.notifications() })],
  [
    'POST',
    /^\/notifications$/,
    (control, { body }) => {
      const { event, consent } = parseControl(NotificationBody, body);
      return { id: control.notify(event, consent) };
    },
  ],
  [
    'GET',
    /^\/rows$/,
    (control, { query }) => ({
      rows: control.rowsAtBank(query.get('account_id') ?? undefined, {
        includePending: query.get('include_pending') !== 'false',
      }),
    }),
  ],
];
