import { bare, type ControlRoute } from '../shared/control-api.ts';
import { parseControl } from '../shared/control-input.ts';
import type { BrokerageControl } from './control.ts';
import {
  AccountStatusBody,
  AppendBody,
  BrokerStatusBody,
  MoneyBody,
  SettingsBody,
  WebhookBody,
  WithdrawBody,
} from './control-input.ts';

/** The JSON face of {@link BrokerageControl}; see docs/sandbox.md. */
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
  ['POST', /^\/accounts\/([^/]+)\/read-anew$/, bare((control, id) => control.readAnew(id))],
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
