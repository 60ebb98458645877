import { Type } from 'typebox';
import { bare, type ControlRoute } from '../shared/control-api.ts';
import { parseControl } from '../shared/control-input.ts';
import type { BrokerageControl } from './control.ts';

const strict = { additionalProperties: false };
const text = Type.String({ minLength: 1 });
const optional = Type.Optional(text);

const AppendBody = Type.Object(
  {
    activities: Type.Array(
      Type.Object(
        {
          type: text,
          tradeDate: optional,
          description: Type.Optional(Type.String()),
          symbol: optional,
          currency: optional,
          units: optional,
          price: optional,
          amount: optional,
          fee: optional,
        },
        strict,
      ),
    ),
  },
  strict,
);

/** Money that moves, in the terms of every simulator: the only rows that brokers and banks have in common. */
const MoneyBody = Type.Object(
  {
    transactions: Type.Array(
      Type.Object(
        {
          amount: text,
          description: Type.String(),
          status: Type.Optional(Type.Union([Type.Literal('PENDING'), Type.Literal('POSTED')])),
        },
        strict,
      ),
    ),
  },
  strict,
);

const WithdrawBody = Type.Object({ count: Type.Integer({ minimum: 1 }) }, strict);

const AccountStatusBody = Type.Object(
  {
    status: Type.Union(
      (['open', 'closed', 'archived', 'unavailable', 'gone'] as const).map((word) => Type.Literal(word)),
    ),
  },
  strict,
);

const BrokerStatusBody = Type.Object(
  { status: Type.Union((['HEALTHY', 'DEGRADED', 'OUTAGE'] as const).map((word) => Type.Literal(word))) },
  strict,
);

const WebhookBody = Type.Object({ url: Type.Union([text, Type.Null()]) }, strict);

const milliseconds = Type.Optional(Type.Integer({ minimum: 0, maximum: 86_400_000 }));
const requests = Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 }));

const SettingsBody = Type.Object(
  {
    firstSyncDelayMs: milliseconds,
    holdingsDelayMs: milliseconds,
    tradesDelayMs: milliseconds,
    connectDelayMs: milliseconds,
    deletionDelayMs: milliseconds,
    requestsPerMinute: requests,
    accountRequestsPerMinute: requests,
  },
  strict,
);

/** The JSON interface of {@link BrokerageControl}; see docs/sandbox.md. */
export const CONTROL_ROUTES: readonly ControlRoute<BrokerageControl>[] = [
  ['GET', /^\/users$/, (control) => ({ users: control.users() })],
  ['GET', /^\/connections$/, (control) => ({ connections: control.connections() })],
  ['POST', /^\/connections\/([^/]+)\/disable$/, bare((control, id) => control.disable(id))],
  ['POST', /^\/connections\/([^/]+)\/enable$/, bare((control, id) => control.enable(id))],
  ['POST', /^\/connections\/([^/]+)\/delete$/, bare((control, id) => control.deleteConnection(id))],
  ['POST', /^\/users\/([^/]+)\/outdate-secret$/, bare((control, id) => control.outdateSecret(id))],
  [
    'POST',
    /^\/accounts\/([^/]+)\/activities$/,
    (control, { params: [id = ''], body }) => ({
      ids: control.appendActivities(id, parseControl(AppendBody, body).activities),
    }),
  ],
  [
    'POST',
    /^\/accounts\/([^/]+)\/transactions$/,
    (control, { params: [id = ''], body }) => ({
      ids: control.moveMoney(id, parseControl(MoneyBody, body).transactions),
    }),
  ],
  ['GET', /^\/accounts\/([^/]+)\/pending$/, () => ({ pending: [] })],
  [
    'POST',
    /^\/accounts\/([^/]+)\/withdraw$/,
    (control, { params: [id = ''], body }) =>
      control.withdrawActivities(id, parseControl(WithdrawBody, body).count),
  ],
  ['POST', /^\/accounts\/([^/]+)\/reread$/, bare((control, id) => control.reread(id))],
  [
    'POST',
    /^\/accounts\/([^/]+)\/status$/,
    (control, { params: [id = ''], body }) =>
      control.setAccountStatus(id, parseControl(AccountStatusBody, body).status),
  ],
  [
    'POST',
    /^\/institutions\/([^/]+)\/status$/,
    (control, { params: [id = ''], body }) =>
      control.setBrokerStatus(id, parseControl(BrokerStatusBody, body).status),
  ],
  ['POST', /^\/webhooks$/, (control, { body }) => control.aimWebhooks(parseControl(WebhookBody, body).url)],
  [
    'POST',
    /^\/settings$/,
    (control, { body }) => {
      Object.assign(control.settings, parseControl(SettingsBody, body));
      return control.settings;
    },
  ],
  [
    'GET',
    /^\/rows$/,
    (control, { query }) => {
      const account = query.get('account_id');
      if (account === null) return control.shared();
      return { positions: control.positionsOf(account), activities: control.activitiesOf(account) };
    },
  ],
];
