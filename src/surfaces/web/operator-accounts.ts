import type { FastifyInstance, FastifyRequest } from 'fastify';
import { limitsOf } from '../../features/access/plan-gates.ts';
import { BY_OPERATOR } from '../../features/audit/audit-log.ts';
import type { SignedIn } from '../../features/sign-in/session-authenticator.ts';
import type { AccountRecord } from '../../storage/account-records.ts';
import type { AccountOverview } from '../../storage/plan-usage.ts';
import { parsePublicId, publicId } from '../../vocabulary/ids.ts';
import { FIXED_LIMITS } from '../../vocabulary/limits.ts';
import { PLAN_LIMIT_NAMES, PLAN_NAMES, type Plan } from '../../vocabulary/plans.ts';
import { invalidParameter, missing } from '../../vocabulary/service-error.ts';
import { ACCOUNT_RECORD_STATUSES } from '../../vocabulary/states.ts';
import { type Html, html } from '../http/html.ts';
import { type PageContent, sendOn } from '../http/page.ts';
import { originOf, queryOf } from '../http/request-url.ts';
import { shownDay } from '../http/shown-time.ts';
import { recordLabelText } from '../text/frame.ts';
import { OPERATOR, OPERATOR_ACCOUNT, OPERATOR_ACCOUNTS, OPERATOR_NEW_ACCOUNT } from '../text/operator.ts';
import { field } from './form.ts';
import { notice, problem, zoneOptions } from './page-parts.ts';
import { registerSettingsPage } from './settings-forms.ts';
import { operatorTabs, settingsFrame } from './settings-nav.ts';
import { pathOf, type WebOptions } from './web-options.ts';

const PAGE_SIZE = 25;
/** As the command line has it. */
const DEFAULT_PLAN: Plan = 'professional';

/** `/settings/operator`: the account records of the installation, the creation and the change of one. */
export function registerOperatorAccounts(
  scope: FastifyInstance,
  options: WebOptions,
  allow: (signedIn: SignedIn) => Promise<void>,
): void {
  const { appUrl, clock, operator } = options;
  const page = pathOf(appUrl, '/settings/operator');
  const frame = (signedIn: SignedIn) => settingsFrame(options, '/settings/operator', signedIn);
  const tabs = operatorTabs(options, '/settings/operator');

  const accounts = registerSettingsPage(scope, options, {
    path: '/settings/operator',
    isDone: (text): text is 'account_changed' => text === 'account_changed',
    allow,
    content: async (signedIn, _page, { done, problem }, request) => {
      const { after, ...kept } = queryOf(request);
      const found = await operator.accounts.overview(idOf(after), PAGE_SIZE + 1);
      const shown = {
        page,
        timezone: signedIn.caller.accountRecord.timezone,
        tabs,
        done: done !== null,
        problem,
        typed: (name: string) => field(request, name) || (kept[name] ?? ''),
        accounts: found.slice(0, PAGE_SIZE),
        more: found.length > PAGE_SIZE,
      };
      return { ...accountsPage(shown), ...(await frame(signedIn)) };
    },
  });

  accounts.takes(
    '/create',
    true,
    async (_signedIn, request, reply) => {
      const { id } = await operator.accounts.create({
        email: field(request, 'email'),
        name: field(request, 'name'),
        plan: planIn(request),
        timezone: field(request, 'timezone'),
      });
      const account = publicId('account_record', id);
      return sendOn(reply, `${page}/account?account=${account}&done=account_created`);
    },
    NEW_ACCOUNT_FIELDS,
  );

  const { takes } = registerSettingsPage(scope, options, {
    path: '/settings/operator/account',
    isDone: (text): text is 'account_created' => text === 'account_created',
    allow,
    content: async (signedIn, _page, { done, problem }, request) => {
      const record = await operator.accounts.find(requiredId(request));
      const { timezone } = signedIn.caller.accountRecord;
      const shown = { page, record, timezone, created: done !== null, problem, now: clock.now() };
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
    const by = { by: { ...BY_OPERATOR, user: caller.user }, from: originOf(request) };
    await operator.accounts.change(id, change, by);
    return sendOn(reply, `${page}?done=account_changed`);
  });
}

/** What is typed for a new account record, and kept where the person has to sign in first. */
const NEW_ACCOUNT_FIELDS = ['email', 'name', 'plan', 'timezone'] as const;

function planIn(request: FastifyRequest): Plan {
  const plan = PLAN_NAMES.find((name) => name === field(request, 'plan'));
  if (plan === undefined) throw invalidParameter('plan', OPERATOR_NEW_ACCOUNT.noPlan);
  return plan;
}

/** Limits as the command line accepts them. */
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

interface ShownAccount {
  /** The page that leads here. */
  readonly page: string;
  readonly record: AccountRecord;
  /** The operator's time zone, which may differ from that of the account record. */
  readonly timezone: string;
  /** Whether it has just been created here. */
  readonly created: boolean;
  readonly problem: string | null;
  /** Epoch ms. */
  readonly now: number;
}

/** The change of an account record's plan, status and limits. */
function accountFormPage({
  page,
  record,
  timezone,
  created,
  problem: refused,
  now,
}: ShownAccount): PageContent {
  const id = publicId('account_record', record.id);
  const limits = limitsOf(record, now);
  const began = shownDay(record.created, timezone);
  const since =
    record.trial_ends_at === null
      ? OPERATOR_ACCOUNT.since(id, began)
      : OPERATOR_ACCOUNT.sinceOnTrial(id, began, shownDay(record.trial_ends_at, timezone));
  return {
    title: OPERATOR_ACCOUNT.title(recordLabelText(record)),
    secretAddress: false,
    body: html`
${problem(refused)}
${created ? html`<p role="status">${OPERATOR_ACCOUNT.created(id)}</p>` : html``}
<section class="card">
<p>${since}</p>
<form method="post" action="${page}/account?account=${id}">
<label for="plan">${OPERATOR_ACCOUNT.plan}</label>
<select id="plan" name="plan">${options(PLAN_NAMES, record.plan)}</select>
<label for="status">${OPERATOR_ACCOUNT.status}</label>
<select id="status" name="status">${options(ACCOUNT_RECORD_STATUSES, record.status)}</select>
<p class="hint">${OPERATOR_ACCOUNT.trialHint}</p>
<fieldset><legend>${OPERATOR_ACCOUNT.limits}</legend>
<label class="choice"><input type="radio" name="limits" value="plan"${record.limits === null ? html` checked` : html``}> <span>${OPERATOR_ACCOUNT.planLimits}</span></label>
<label class="choice"><input type="radio" name="limits" value="own"${record.limits === null ? html`` : html` checked`}> <span>${OPERATOR_ACCOUNT.ownLimits}</span></label>
<div class="columns">${PLAN_LIMIT_NAMES.map(
      (name) =>
        html`<div><label for="${name}">${name}</label><input id="${name}" name="${name}" inputmode="numeric" maxlength="9" value="${limits[name] === -1 ? '' : String(limits[name])}"></div>`,
    )}</div>
</fieldset>
<div class="actions"><button class="main">${OPERATOR_ACCOUNT.submit}</button> <a class="button" href="${page}">${OPERATOR_ACCOUNT.back}</a></div>
</form>
</section>`,
  };
}

function options(names: readonly string[], chosen: string): Html {
  return html`${names.map(
    (name) =>
      html`<option value="${name}"${name === chosen ? html` selected` : html``}>${name.replaceAll('_', ' ')}</option>`,
  )}`;
}

interface ShownAccounts {
  readonly page: string;
  /** The operator's time zone, since one list needs one zone. */
  readonly timezone: string;
  readonly tabs: Html;
  readonly done: boolean;
  readonly problem: string | null;
  /** What was typed for a new account record. */
  readonly typed: (name: string) => string;
  readonly accounts: readonly AccountOverview[];
  readonly more: boolean;
}

/** The account records of the installation with their counts, without their contents. */
function accountsPage(shown: ShownAccounts): PageContent {
  const { page, timezone, tabs, done, accounts, more } = shown;
  const last = accounts.at(-1);
  return {
    title: OPERATOR.title,
    secretAddress: false,
    body: html`${tabs}
${problem(shown.problem)}
${notice(done ? OPERATOR_ACCOUNTS.changed : null)}
<section class="card"><h2>${OPERATOR_ACCOUNTS.title}</h2>
${
  accounts.length === 0
    ? html`<p>${OPERATOR_ACCOUNTS.none}</p>`
    : html`<ul class="lines">${accounts.map((account) => line(account, page, timezone))}</ul>`
}
${
  more && last !== undefined
    ? html`<div class="actions"><a class="button" href="${page}?after=${publicId('account_record', last.id)}">${OPERATOR_ACCOUNTS.next}</a></div>`
    : html``
}
</section>
${newAccountPart(shown)}`,
  };
}

function newAccountPart({ page, timezone, typed }: ShownAccounts): Html {
  const text = OPERATOR_NEW_ACCOUNT;
  const [plan] = PLAN_NAMES.filter((name) => name === typed('plan'));
  return html`<section class="card"><h2>${text.title}</h2>
<form method="post" action="${page}/create">
<label for="email">${text.email}</label>
<input id="email" name="email" type="email" autocomplete="off" required maxlength="254" value="${typed('email')}">
<label for="name">${text.name}</label>
<input id="name" name="name" autocomplete="off" maxlength="${String(FIXED_LIMITS.name_characters)}" aria-describedby="name-hint" value="${typed('name')}">
<p class="hint" id="name-hint">${text.nameHint}</p>
<label for="plan">${text.plan}</label>
<select id="plan" name="plan">${options(PLAN_NAMES, plan ?? DEFAULT_PLAN)}</select>
<label for="timezone">${text.timezone}</label>
<select id="timezone" name="timezone">${zoneOptions(typed('timezone') || timezone)}</select>
<div class="actions"><button>${text.submit}</button></div>
</form>
</section>`;
}

function line(account: AccountOverview, page: string, timezone: string): Html {
  const id = publicId('account_record', account.id);
  const closing = account.removal_asked_at;
  return html`<li><span><strong>${account.email}</strong>${account.name === null ? html`` : html`<br><bdi>${account.name}</bdi>`}<br>${statusLine(account, timezone)}<br><span class="hint">${OPERATOR_ACCOUNTS.has(account, shownDay(account.created, timezone))}</span></span> ${
    closing === null
      ? html`<a class="button" href="${page}/account?account=${id}" aria-label="${OPERATOR_ACCOUNTS.changeOf(recordLabelText(account))}">${OPERATOR_ACCOUNTS.change}</a>`
      : html``
  }</li>`;
}

function statusLine(account: AccountOverview, timezone: string): Html {
  const { plan, trial_ends_at: ends, removal_asked_at: closing } = account;
  if (closing !== null) return OPERATOR_ACCOUNTS.closing(plan, shownDay(closing, timezone));
  const status = account.status.replaceAll('_', ' ');
  return ends === null
    ? OPERATOR_ACCOUNTS.status(plan, status)
    : OPERATOR_ACCOUNTS.statusUntil(plan, status, shownDay(ends, timezone));
}
