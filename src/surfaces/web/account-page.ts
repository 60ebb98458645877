import { entitlementsOf } from '../../features/access/account-records.ts';
import { publicId } from '../../vocabulary/ids.ts';
import { PLAN_LIMIT_NAMES } from '../../vocabulary/plans.ts';
import { type Html, html } from '../http/html.ts';
import type { PageContent } from '../http/page.ts';
import { shownDay } from '../http/shown-time.ts';
import { problem } from './chosen-password.ts';
import { card, notice } from './settings-parts.ts';
import type { ShownAccount } from './shown-account.ts';
import { zoneOptions } from './time-zones.ts';

const DONE = {
  email_mailed:
    'A link is on its way to the new address. Until you open it, you sign in with the address you have.',
  email_changed: 'You now sign in with the new e-mail address, and are signed out everywhere else.',
  timezone_changed: 'The time zone is changed.',
  caching_on: 'Caching is on again.',
  caching_off: 'Caching is off, and what was cached is forgotten.',
  account_chosen: 'You now see the other account record.',
} as const;

export type AccountDone = keyof typeof DONE;

export function isAccountDone(text: string): text is AccountDone {
  return Object.hasOwn(DONE, text);
}

type Shown = ShownAccount & {
  /** The path of this page. */
  readonly page: string;
  readonly problem: string | null;
  readonly done: AccountDone | null;
};

export function accountPage(shown: Shown): PageContent {
  const { accountRecord, role } = shown.signedIn.caller;
  return {
    title: 'Account',
    body: html`
${problem(shown.problem)}
${notice(shown.done === null ? null : DONE[shown.done])}
<p>Signed in as ${shown.email}, ${role} of the account of ${accountRecord.email}.</p>
${otherAccountsPart(shown)}
${profilePart(shown)}
${zonePart(shown)}
${planPart(shown)}
${cachingPart(shown)}
${exportPart(shown)}
${deletePart(shown)}`,
  };
}

function otherAccountsPart({ accounts, signedIn, page }: Shown): Html {
  if (accounts.length < 2) return html``;
  const now = signedIn.caller.accountRecord.id;
  const others = accounts.filter(({ id }) => id !== now);
  return card(
    'Other accounts',
    html`<p>You share ${String(accounts.length)} account records. This browser shows one of them.</p>
<form method="post" action="${page}/account">
<label for="account">Account of</label>
<select id="account" name="account">
${others.map(({ id, email }) => html`<option value="${publicId('account_record', id)}">${email}</option>`)}
</select>
<div class="actions"><button>Switch</button></div>
</form>`,
  );
}

function profilePart({ email, mailed, page }: Shown): Html {
  return card(
    'E-mail address',
    html`<p>You sign in with <strong>${email}</strong>. Links for a new password go there too.${
      mailed ? ' A new address counts once you open the link that is mailed to it.' : ''
    }</p>
<form method="post" action="${page}/email">
<label for="email">New e-mail address</label>
<input id="email" name="email" type="email" autocomplete="email" required maxlength="254">
<label for="current">Current password</label>
<input id="current" name="current" type="password" autocomplete="current-password" required maxlength="200">
<div class="actions"><button>Change the e-mail address</button></div>
</form>`,
  );
}

function zonePart({ signedIn, manages, page }: Shown): Html {
  const { timezone } = signedIn.caller.accountRecord;
  return card(
    'Time zone',
    html`<p>Days and months begin and end in this zone, here and in what syncs write. A schedule keeps its own.</p>
${
  manages
    ? html`<form method="post" action="${page}/timezone">
<label for="timezone">Time zone</label>
<select id="timezone" name="timezone">${zoneOptions(timezone)}</select>
<div class="actions"><button>Save the time zone</button></div>
</form>`
    : html`<p>${timezone}. An owner can change it.</p>`
}`,
  );
}

function planPart({ signedIn, used, now }: Shown): Html {
  const { accountRecord: record } = signedIn.caller;
  const { limits, trial } = entitlementsOf(record, now);
  const until =
    record.trial_ends_at === null ? html`` : html`, until ${shownDay(record.trial_ends_at, record.timezone)}`;
  return card(
    'Plan',
    html`<p><strong>${capitalised(record.plan)}</strong>${trial ? html` (trial${until})` : html``}, ${record.status.replaceAll('_', ' ')}.</p>
<div class="table" tabindex="0" role="group" aria-label="What the plan allows"><table>
<thead><tr><th scope="col">What</th><th scope="col" class="figure">In use</th><th scope="col" class="figure">Allowed</th></tr></thead>
<tbody>${PLAN_LIMIT_NAMES.map(
      (name) =>
        html`<tr><th scope="row">${capitalised(name)}</th><td class="figure">${String(used[name])}</td><td class="figure">${
          limits[name] === -1 ? 'Unlimited' : String(limits[name])
        }</td></tr>`,
    )}</tbody>
</table></div>
<p class="hint">The operator of this service changes plans.</p>`,
  );
}

function cachingPart({ signedIn, manages, page }: Shown): Html {
  const { caching } = signedIn.caller.accountRecord;
  const choice = (value: 'on' | 'off', text: string): Html =>
    html`<label class="choice"><input type="radio" name="caching" value="${value}"${
      (value === 'on') === caching ? html` checked` : html``
    }> <span>${text}</span></label>`;
  return card(
    'Caching',
    html`<p>What a bank answers can be kept for some minutes, encrypted, so that pages open faster and the bank is asked less. A change forgets what is kept now.</p>
${
  manages
    ? html`<form method="post" action="${page}/caching">
<fieldset><legend>What a bank answers</legend>
${choice('on', 'May be kept for some minutes')}
${choice('off', 'Is read from the bank each time')}
</fieldset>
<div class="actions"><button>Save</button></div>
</form>`
    : html`<p>Caching is ${caching ? 'on' : 'off'}. An owner can change it.</p>`
}`,
  );
}

function exportPart({ page }: Shown): Html {
  return card(
    'Export your data',
    html`<p>Everything this service stores of the account record, as one JSON document: connections and consents, accounts, destinations, syncs and their runs, categories, rules, keys and apps without their secrets, events. Balances and transactions are not in it, since they are not stored here.</p>
<div class="actions"><a class="button" href="${page}/export" download>Download the export</a></div>`,
  );
}

function deletePart({ manages, page }: Shown): Html {
  if (!manages) return html``;
  return html`<section class="card dangerous"><h2>Delete everything</h2>
<p>Deletes this account record with all connections, syncs, destinations and settings, for every member, for good. The next page says exactly what will happen, and asks once more.</p>
<div class="actions"><a class="button danger" href="${page}/delete">Delete everything…</a></div>
</section>`;
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
