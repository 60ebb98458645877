import { limitsOf } from '../../features/access/plan-gates.ts';
import type { AccountRecord } from '../../storage/account-records.ts';
import { publicId } from '../../vocabulary/ids.ts';
import { PLAN_LIMIT_NAMES, PLAN_NAMES } from '../../vocabulary/plans.ts';
import { ACCOUNT_RECORD_STATUSES } from '../../vocabulary/states.ts';
import { type Html, html } from '../http/html.ts';
import type { PageContent } from '../http/page.ts';
import { shownDay } from '../http/shown-time.ts';
import { OPERATOR_ACCOUNT } from '../text/operator.ts';
import { problem } from './chosen-password.ts';

interface Shown {
  /** The page that leads here. */
  readonly page: string;
  readonly record: AccountRecord;
  /** The zone of the operator, who may be far from the account record's people. */
  readonly timezone: string;
  readonly problem: string | null;
  /** Epoch ms. */
  readonly now: number;
}

/** The change of an account record's plan, status and limits. */
export function accountFormPage({ page, record, timezone, problem: refused, now }: Shown): PageContent {
  const id = publicId('account_record', record.id);
  const limits = limitsOf(record, now);
  const began = shownDay(record.created, timezone);
  const since =
    record.trial_ends_at === null
      ? OPERATOR_ACCOUNT.since(id, began)
      : OPERATOR_ACCOUNT.sinceOnTrial(id, began, shownDay(record.trial_ends_at, timezone));
  return {
    title: OPERATOR_ACCOUNT.title(record.email),
    secretAddress: false,
    body: html`
${problem(refused)}
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
