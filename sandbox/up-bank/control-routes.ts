import { Type } from 'typebox';
import { newRows } from '../shared/bank-controls.ts';
import { ControlError } from '../shared/control.ts';
import { bare, type ControlRoute } from '../shared/control-api.ts';
import { parseControl } from '../shared/control-input.ts';
import type { UpBankControl } from './control.ts';

const strict = { additionalProperties: false };
const text = Type.String({ minLength: 1 });

const HolderBody = Type.Object({ customer: text }, strict);

const AppendBody = newRows({
  createdAt: Type.Optional(text),
  message: Type.Optional(text),
  category: Type.Optional(text),
  roundUp: Type.Optional(text),
});

const ChangeBody = Type.Object(
  { amount: Type.Optional(text), description: Type.Optional(Type.String()) },
  strict,
);

const AccountStateBody = Type.Object(
  { state: Type.Union([Type.Literal('OPEN'), Type.Literal('CLOSED')]) },
  strict,
);

const StatusBody = Type.Object(
  { status: Type.Union([Type.Literal('HEALTHY'), Type.Literal('OUTAGE')]) },
  strict,
);

const WebhookBody = Type.Object({ url: text }, strict);

/** The JSON interface of {@link UpBankControl}; see docs/sandbox.md. */
export const CONTROL_ROUTES: readonly ControlRoute<UpBankControl>[] = [
  ['GET', /^\/customers$/, (control) => ({ customers: control.customers() })],
  ['GET', /^\/token$/, (control) => control.holder()],
  [
    'POST',
    /^\/token\/holder$/,
    (control, { body }) => {
      const known = control.choose(parseControl(HolderBody, body).customer);
      if (!known) throw new ControlError('There is no such log-in.');
    },
  ],
  ['POST', /^\/token\/revoke$/, bare((control) => control.revokeToken())],
  ['POST', /^\/token\/renew$/, bare((control) => control.renewToken())],
  [
    'GET',
    /^\/accounts\/([^/]+)\/pending$/,
    (control, { params: [id = ''] }) => ({ pending: control.heldRows(id) }),
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
      control.setAccountClosed(id, parseControl(AccountStateBody, body).state === 'CLOSED'),
  ],
  ['POST', /^\/transactions\/([^/]+)\/settle$/, bare((control, id) => control.settle(id))],
  ['POST', /^\/transactions\/([^/]+)\/drop$/, bare((control, id) => control.drop(id))],
  [
    'POST',
    /^\/transactions\/([^/]+)\/change$/,
    (control, { params: [id = ''], body }) => control.change(id, parseControl(ChangeBody, body)),
  ],
  [
    'POST',
    /^\/institutions\/([^/]+)\/status$/,
    (control, { params: [id = ''], body }) =>
      control.setOutage(id, parseControl(StatusBody, body).status === 'OUTAGE'),
  ],
  [
    'POST',
    /^\/webhooks$/,
    (control, { body }) => ({ id: control.registerWebhook(parseControl(WebhookBody, body).url) }),
  ],
];
