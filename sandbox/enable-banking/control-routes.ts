import { Type } from 'typebox';
import { accountRoutes, newRows } from '../shared/bank-controls.ts';
import { bare, type ControlRoute } from '../shared/control-api.ts';
import { parseControl } from '../shared/control-input.ts';
import { ACCOUNT_STATES } from './accounts.ts';
import type { EnableBankingControl } from './control.ts';

const strict = { additionalProperties: false };
const text = Type.String({ minLength: 1 });

const AppendBody = newRows({ party: Type.Optional(text), day: Type.Optional(text) });

const BankBody = Type.Object(
  { quirks: Type.Optional(Type.Array(text)), outage: Type.Optional(Type.Boolean()) },
  strict,
);

const StatusBody = Type.Object(
  { status: Type.Union([Type.Literal('HEALTHY'), Type.Literal('OUTAGE')]) },
  strict,
);

const BlockedBody = Type.Object({ blocked: Type.Boolean() }, strict);

const UnattendedBody = Type.Object(
  { amount: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()]) },
  strict,
);

/** The JSON interface of {@link EnableBankingControl}; see docs/sandbox.md. */
export const CONTROL_ROUTES: readonly ControlRoute<EnableBankingControl>[] = [
  ['GET', /^\/sessions$/, (control) => ({ sessions: control.sessions() })],
  ['POST', /^\/sessions\/([^/]+)\/revoke$/, bare((control, id) => control.revoke(id))],
  [
    'POST',
    /^\/sessions\/([^/]+)\/blocked$/,
    (control, { params: [id = ''], body }) => control.setBlocked(id, parseControl(BlockedBody, body).blocked),
  ],
  [
    'POST',
    /^\/accounts\/([^/]+)\/transactions$/,
    (control, { params: [id = ''], body }) => ({
      ids: control.appendTransactions(id, parseControl(AppendBody, body).transactions),
    }),
  ],
  ...accountRoutes(ACCOUNT_STATES),
  [
    'POST',
    /^\/institutions\/([^/]+)\/status$/,
    (control, { params: [id = ''], body }) =>
      control.setOutage(id, parseControl(StatusBody, body).status === 'OUTAGE'),
  ],
  [
    'POST',
    /^\/banks\/([^/]+)$/,
    (control, { params: [id = ''], body }) => {
      const { quirks, outage } = parseControl(BankBody, body);
      if (quirks !== undefined) control.setQuirks(id, quirks);
      if (outage !== undefined) control.setOutage(id, outage);
    },
  ],
  [
    'POST',
    /^\/unattended$/,
    (control, { body }) => control.setUnattended(parseControl(UnattendedBody, body).amount),
  ],
  ['GET', /^\/rows$/, (control, { query }) => control.rowsOf(query.get('account') ?? '')],
];
