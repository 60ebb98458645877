import { Type } from 'typebox';
import { newRows } from '../shared/bank-controls.ts';
import { bare, type ControlRoute } from '../shared/control-api.ts';
import { parseControl } from '../shared/control-input.ts';
import type { SimplefinControl } from './control.ts';

const strict = { additionalProperties: false };
const text = Type.String({ minLength: 1 });

const CustomerBody = Type.Object({ customer: text }, strict);
const AppendBody = newRows({ createdAt: Type.Optional(text) });
const AccountStateBody = Type.Object(
  { state: Type.Union([Type.Literal('OPEN'), Type.Literal('CLOSED'), Type.Literal('FAILED')]) },
  strict,
);
const LoginBody = Type.Object({ lost: Type.Boolean() }, strict);
const VersionBody = Type.Object({ version: Type.Union([Type.Literal(1), Type.Literal(2)]) }, strict);
const QuotaBody = Type.Object({ requests: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()]) }, strict);

/** The JSON interface of {@link SimplefinControl}; see docs/sandbox.md. */
export const CONTROL_ROUTES: readonly ControlRoute<SimplefinControl>[] = [
  ['GET', /^\/customers$/, (control) => ({ customers: control.customers() })],
  [
    'POST',
    /^\/tokens$/,
    (control, { body }) => ({ token: control.createToken(parseControl(CustomerBody, body).customer) }),
  ],
  [
    'POST',
    /^\/accesses\/disable$/,
    (control, { body }) => control.disableAccess(parseControl(CustomerBody, body).customer),
  ],
  [
    'POST',
    /^\/organisations\/([^/]+)\/login$/,
    (control, { params: [key = ''], body }) => control.setLoginLost(key, parseControl(LoginBody, body).lost),
  ],
  [
    'POST',
    /^\/accounts\/([^/]+)\/transactions$/,
    (control, { params: [id = ''], body }) => ({
      ids: control.appendTransactions(id, parseControl(AppendBody, body).transactions),
    }),
  ],
  [
    'GET',
    /^\/accounts\/([^/]+)\/pending$/,
    (control, { params: [id = ''] }) => ({ pending: control.pendingRows(id) }),
  ],
  [
    'POST',
    /^\/accounts\/([^/]+)\/state$/,
    (control, { params: [id = ''], body }) => {
      const { state } = parseControl(AccountStateBody, body);
      control.setAccountClosed(id, state === 'CLOSED');
      control.setAccountFailed(id, state === 'FAILED');
    },
  ],
  ['POST', /^\/transactions\/([^/]+)\/settle$/, bare((control, id) => control.settle(id, true))],
  ['POST', /^\/transactions\/([^/]+)\/drop$/, bare((control, id) => control.settle(id, false))],
  [
    'POST',
    /^\/server\/version$/,
    (control, { body }) => control.setVersion(parseControl(VersionBody, body).version),
  ],
  [
    'POST',
    /^\/server\/quota$/,
    (control, { body }) => control.setQuota(parseControl(QuotaBody, body).requests),
  ],
];
