import type { Member } from '../../storage/memberships.ts';
import type { PlanLimits } from '../../vocabulary/plans.ts';
import { html } from '../http/html.ts';
import type { PageContent } from '../http/page.ts';
import { REMOVAL, REMOVED } from '../text/removal.ts';
import { problem } from './chosen-password.ts';

interface Shown {
  readonly page: string;
  /** The page that leads here. */
  readonly settings: string;
  readonly email: string;
  readonly used: PlanLimits;
  readonly members: readonly Member[];
  /** How long what does not answer is waited for. */
  readonly days: number;
  readonly problem: string | null;
}

/** What the deletion of the account record does, and the form that does it. */
export function removalPage(shown: Shown): PageContent {
  const { used, members, email } = shown;
  const download = html`<a href="${shown.settings}/export" download>${REMOVAL.download}</a>`;
  return {
    title: REMOVAL.title,
    secretAddress: false,
    body: html`
${problem(shown.problem)}
<section class="card dangerous">
<h2>${REMOVAL.deleted}</h2>
<ul>
<li>${REMOVAL.record(email)}</li>
<li>${REMOVAL.connections(used.connections, used.accounts)}</li>
<li>${REMOVAL.syncs(used.syncs, used.destinations)}</li>
<li>${REMOVAL.access}</li>
<li>${REMOVAL.members(members.map((member) => member.email))}</li>
</ul>
<h2>${REMOVAL.stays}</h2>
<ul>
<li>${REMOVAL.rows}</li>
<li>${REMOVAL.banks}</li>
</ul>
<h2>${REMOVAL.when}</h2>
<p>${REMOVAL.atOnce(shown.days)} ${REMOVAL.downloadFirst(download)}</p>
<form method="post" action="${shown.page}">
<label for="confirm">${REMOVAL.confirm(email)}</label>
<input id="confirm" name="confirm" type="text" autocomplete="off" autocapitalize="none" spellcheck="false" required maxlength="254">
<div class="actions"><button class="danger">${REMOVAL.submit}</button> <a class="button" href="${shown.settings}">${REMOVAL.keep}</a></div>
</form>
</section>`,
  };
}

/** For a person who has just done it, and is signed out. */
export function removedPage(signIn: string, days: number): PageContent {
  return {
    title: REMOVED.title,
    secretAddress: false,
    body: html`<p role="status">${REMOVED.closed}</p>
<p>${REMOVED.withdrawing(days)}</p>
<p>${REMOVED.nothingToDo}</p>
<p>${REMOVED.others(html`<a href="${signIn}">${REMOVED.signIn}</a>`)}</p>`,
  };
}
