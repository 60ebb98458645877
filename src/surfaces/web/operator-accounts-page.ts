import type { AccountOverview } from '../../storage/account-overviews.ts';
import { publicId } from '../../vocabulary/ids.ts';
import { type Html, html } from '../http/html.ts';
import type { PageContent } from '../http/page.ts';
import { shownDay } from '../http/shown-time.ts';
import { OPERATOR, OPERATOR_ACCOUNTS } from '../text/operator.ts';
import { notice } from './settings-parts.ts';

interface Shown {
  readonly page: string;
  /** The zone of the operator: one list has one zone. */
  readonly timezone: string;
  readonly tabs: Html;
  readonly done: boolean;
  readonly accounts: readonly AccountOverview[];
  readonly more: boolean;
}

/** Who uses the installation: how much they have, and nothing of what it says. */
export function accountsPage({ page, timezone, tabs, done, accounts, more }: Shown): PageContent {
  const last = accounts.at(-1);
  return {
    title: OPERATOR.title,
    secretAddress: false,
    body: html`${tabs}
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
</section>`,
  };
}

function line(account: AccountOverview, page: string, timezone: string): Html {
  const id = publicId('account_record', account.id);
  const closing = account.removal_asked_at;
  return html`<li><span><strong>${account.email}</strong><br>${standing(account, timezone)}<br><span class="hint">${OPERATOR_ACCOUNTS.has(account, shownDay(account.created, timezone))}</span></span> ${
    closing === null
      ? html`<a class="button" href="${page}/account?account=${id}" aria-label="${OPERATOR_ACCOUNTS.changeOf(account.email)}">${OPERATOR_ACCOUNTS.change}</a>`
      : html``
  }</li>`;
}

function standing(account: AccountOverview, timezone: string): Html {
  const { plan, trial_ends_at: ends, removal_asked_at: closing } = account;
  if (closing !== null) return OPERATOR_ACCOUNTS.closing(plan, shownDay(closing, timezone));
  const status = account.status.replaceAll('_', ' ');
  return ends === null
    ? OPERATOR_ACCOUNTS.status(plan, status)
    : OPERATOR_ACCOUNTS.statusUntil(plan, status, shownDay(ends, timezone));
}
