import type { Member } from '../../storage/memberships.ts';
import type { PlanLimits } from '../../vocabulary/plans.ts';
import { html } from '../http/html.ts';
import type { PageContent } from '../http/page.ts';
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
  return {
    title: 'Delete everything',
    body: html`
${problem(shown.problem)}
<section class="card dangerous">
<h2>What will be deleted</h2>
<ul>
<li>The account record of <strong>${email}</strong>, with its categories, rules, settings and history.</li>
<li>${counted(used.connections, 'connection')} with ${counted(used.accounts, 'account')}. Each consent is withdrawn at its bank.</li>
<li>${counted(used.syncs, 'sync')} and ${counted(used.destinations, 'destination')}. Nothing is written any more, and access to your spreadsheets, budgets and databases is given back where the vendor allows it.</li>
<li>Every API key, connected app, bridge app, setup token and webhook for events.</li>
<li>The access of ${counted(members.length, 'member')}: ${members.map((member) => member.email).join(', ')}. People who share no other account record cannot sign in any more.</li>
</ul>
<h2>What stays</h2>
<ul>
<li>Rows that syncs have written to your destinations. They are yours; delete them there.</li>
<li>Your accounts at the banks. This service can only read.</li>
</ul>
<h2>When</h2>
<p>Everybody is signed out at once, and every key stops working. Banks and vendors are then notified; one that does not answer is asked again for up to ${String(shown.days)} days. Nothing of this can be undone. <a href="${shown.settings}/export" download>Download your data</a> first if you want to keep it.</p>
<form method="post" action="${shown.page}">
<label for="confirm">To confirm, type <strong>${email}</strong></label>
<input id="confirm" name="confirm" type="text" autocomplete="off" autocapitalize="none" spellcheck="false" required maxlength="254">
<div class="actions"><button class="danger">Delete everything for good</button> <a class="button" href="${shown.settings}">Keep everything</a></div>
</form>
</section>`,
  };
}

/** For a person who has just done it, and is signed out. */
export function removedPage(signIn: string, days: number): PageContent {
  return {
    title: 'Your account record is being deleted',
    body: html`<p role="status">Nobody can open it any more, and every key and app has stopped working.</p>
<p>The consents at your banks are being withdrawn, and access to your destinations is being given back. That takes minutes as a rule. A bank or vendor that does not answer is asked again for up to ${String(days)} days; then what is stored here is deleted all the same.</p>
<p>You need not do anything. Rows that were written to your destinations are still there.</p>
<p>If you share another account record, <a href="${signIn}">sign in</a> to see it.</p>`,
  };
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
