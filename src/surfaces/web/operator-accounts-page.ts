import type { AccountOverview } from '../../storage/account-overviews.ts';
import { publicId } from '../../vocabulary/ids.ts';
import { type Html, html } from '../http/html.ts';
import type { PageContent } from '../http/page.ts';
import { shownDay } from '../http/shown-time.ts';
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
    title: 'Operator',
    body: html`${tabs}
${notice(done ? 'The account record is changed.' : null)}
<section class="card"><h2>Account records</h2>
${
  accounts.length === 0
    ? html`<p>There are no more account records.</p>`
    : html`<ul class="lines">${accounts.map((account) => line(account, page, timezone))}</ul>`
}
${
  more && last !== undefined
    ? html`<div class="actions"><a class="button" href="${page}?after=${publicId('account_record', last.id)}">Next page</a></div>`
    : html``
}
</section>`,
  };
}

function line(account: AccountOverview, page: string, timezone: string): Html {
  const id = publicId('account_record', account.id);
  const closing = account.removal_asked_at;
  const counts = COUNTED.map(([name, noun]) => `${account[name]} ${noun}${account[name] === 1 ? '' : 's'}`);
  return html`<li><span><strong>${account.email}</strong><br>${account.plan}, ${
    closing === null ? statusOf(account, timezone) : html`being deleted since ${shownDay(closing, timezone)}`
  }<br><span class="hint">${counts.join(', ')}; since ${shownDay(account.created, timezone)}</span></span> ${
    closing === null
      ? html`<a class="button" href="${page}/account?account=${id}" aria-label="Change ${account.email}">Change</a>`
      : html``
  }</li>`;
}

const COUNTED = [
  ['members', 'member'],
  ['connections', 'connection'],
  ['syncs', 'sync'],
  ['destinations', 'destination'],
] as const;

function statusOf({ status, trial_ends_at: ends }: AccountOverview, timezone: string): Html {
  return html`${status.replaceAll('_', ' ')}${ends === null ? html`` : html` until ${shownDay(ends, timezone)}`}`;
}
