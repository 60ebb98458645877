import type { FastifyInstance, FastifyRequest } from 'fastify';
import { BY_OPERATOR } from '../../features/audit/audit-log.ts';
import { OperatorRefusal } from '../../features/operator/account-changes.ts';
import type { SignedIn } from '../../features/sign-in/session-authenticator.ts';
import { parsePublicId } from '../../vocabulary/ids.ts';
import { PLAN_LIMIT_NAMES } from '../../vocabulary/plans.ts';
import { invalidParameter, missing } from '../../vocabulary/service-error.ts';
import { sendOn } from '../http/page.ts';
import { originOf, queryOf } from '../http/request-url.ts';
import { OPERATOR_ACCOUNT } from '../text/operator.ts';
import { field } from './form.ts';
import { accountFormPage } from './operator-account-form.ts';
import { accountsPage } from './operator-accounts-page.ts';
import { operatorTabs } from './operator-tabs.ts';
import { registerSettingsPage } from './settings-forms.ts';
import { settingsFrame } from './settings-nav.ts';
import { pathOf, type WebOptions } from './web-options.ts';

const PAGE_SIZE = 25;

/** `/settings/operator`: the account records of the installation, and the change of one. */
export function registerOperatorAccounts(
  scope: FastifyInstance,
  options: WebOptions,
  allow: (signedIn: SignedIn) => Promise<void>,
): void {
  const { accountRecords, appUrl, clock, accountChanges } = options;
  const page = pathOf(appUrl, '/settings/operator');
  const frame = (signedIn: SignedIn) => settingsFrame(options, '/settings/operator', signedIn);
  const tabs = operatorTabs(options, '/settings/operator');

  registerSettingsPage(scope, options, {
    path: '/settings/operator',
    isDone: (text): text is 'account_changed' => text === 'account_changed',
    allow,
    content: async (signedIn, _page, { done }, request) => {
      const { after } = queryOf(request);
      const found = await accountRecords.overview(idOf(after), PAGE_SIZE + 1);
      const shown = {
        page,
        timezone: signedIn.caller.accountRecord.timezone,
        tabs,
        done: done !== null,
        accounts: found.slice(0, PAGE_SIZE),
        more: found.length > PAGE_SIZE,
      };
      return { ...accountsPage(shown), ...(await frame(signedIn)) };
    },
  });

  const { takes } = registerSettingsPage(scope, options, {
    path: '/settings/operator/account',
    isDone: (_text): _text is never => false,
    allow,
    content: async (signedIn, _page, { problem }, request) => {
      const record = await accountRecords.find(requiredId(request));
      const { timezone } = signedIn.caller.accountRecord;
      const shown = { page, record, timezone, problem, now: clock.now() };
      return { ...accountFormPage(shown), ...(await frame(signedIn)) };
    },
  });

  takes('', true, async ({ caller }, request, reply) => {
    const id = requiredId(request);
    const change = {
      plan: field(request, 'plan'),
      status: field(request, 'status'),
      limit: limitIn(request),
    };
    const operator = { by: { ...BY_OPERATOR, user: caller.user }, from: originOf(request) };
    await accountChanges.change(id, change, operator).catch((error: unknown) => {
      throw error instanceof OperatorRefusal ? invalidParameter('plan', error.message) : error;
    });
    return sendOn(reply, `${page}?done=account_changed`);
  });
}

/** Limits as the command line takes them. */
function limitIn(request: FastifyRequest): string {
  if (field(request, 'limits') !== 'own') return 'plan';
  const pairs = PLAN_LIMIT_NAMES.map((name) => {
    const value = field(request, name).trim();
    if (!/^\d{1,9}$/.test(value) && value !== '' && value !== '-1') {
      throw invalidParameter(name, OPERATOR_ACCOUNT.invalidLimit(name));
    }
    return `${name}=${value === '' ? '-1' : value}`;
  });
  return pairs.join(',');
}

function idOf(text: string | undefined) {
  return text === undefined ? null : parsePublicId('account_record', text);
}

function requiredId(request: FastifyRequest) {
  const id = idOf(queryOf(request).account);
  if (id === null) throw missing('account record');
  return id;
}
