import { entitlementsOf } from '../../features/access/account-records.ts';
import type { SignedIn } from '../../features/sign-in/session-authenticator.ts';
import { type OwnerId, publicId } from '../../vocabulary/ids.ts';
import { FIXED_LIMITS } from '../../vocabulary/limits.ts';
import { MEMBER_ROLES } from '../../vocabulary/member-roles.ts';
import { PLAN_LIMIT_NAMES, type PlanLimits } from '../../vocabulary/plans.ts';
import { type Html, html } from '../http/html.ts';
import type { PageContent } from '../http/page.ts';
import { shownDay } from '../http/shown-time.ts';
import { ACCOUNT, SETTINGS } from '../text/account.ts';
import { recordLabel, recordLabelText } from '../text/frame.ts';
import { card, notice, problem, zoneOptions } from './page-parts.ts';
import type { WebOptions } from './web-options.ts';

export type AccountDone = keyof typeof ACCOUNT.done;

export function isAccountDone(text: string): text is AccountDone {
  return Object.hasOwn(ACCOUNT.done, text);
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
    title: ACCOUNT.title,
    secretAddress: false,
    body: html`
${problem(shown.problem)}
${notice(shown.done === null ? null : ACCOUNT.done[shown.done])}
<p>${SETTINGS.signedInAs(shown.email, role, recordLabel(accountRecord))}</p>
${otherAccountsPart(shown)}
${profilePart(shown)}
${namePart(shown)}
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
  const { others } = ACCOUNT;
  return card(
    others.title,
    html`<p>${others.text(accounts.length)}</p>
<form method="post" action="${page}/account">
<label for="account">${others.account}</label>
<select id="account" name="account">
${accounts
  .filter(({ id }) => id !== now)
  .map(({ id, label }) => html`<option value="${publicId('account_record', id)}">${label}</option>`)}
</select>
<div class="actions"><button>${others.submit}</button></div>
</form>
<p><a href="${page}/accounts">${others.all}</a></p>`,
  );
}

function profilePart({ email, mailed, page }: Shown): Html {
  const text = ACCOUNT.email;
  return card(
    text.title,
    html`<p>${text.text(email)}${mailed ? ` ${text.mailed}` : ''}</p>
<form method="post" action="${page}/email">
<label for="email">${text.email}</label>
<input id="email" name="email" type="email" autocomplete="email" required maxlength="254">
<label for="current">${text.current}</label>
<input id="current" name="current" type="password" autocomplete="current-password" required maxlength="200">
<div class="actions"><button>${text.submit}</button></div>
</form>`,
  );
}

function namePart({ signedIn, manages, page }: Shown): Html {
  const { accountRecord } = signedIn.caller;
  const text = ACCOUNT.name;
  return card(
    text.title,
    manages
      ? html`<p>${text.text(accountRecord.email)}</p>
<form method="post" action="${page}/name">
<label for="name">${text.name}</label>
<input id="name" name="name" type="text" autocomplete="off" maxlength="${String(FIXED_LIMITS.name_characters)}" value="${accountRecord.name ?? ''}">
<p class="hint">${text.hint}</p>
<div class="actions"><button>${text.submit}</button></div>
</form>`
      : html`<p>${text.fixed(recordLabel(accountRecord))}</p>`,
  );
}

function zonePart({ signedIn, manages, page }: Shown): Html {
  const { timezone } = signedIn.caller.accountRecord;
  const text = ACCOUNT.timezone;
  return card(
    text.title,
    html`<p>${text.text}</p>
${
  manages
    ? html`<form method="post" action="${page}/timezone">
<label for="timezone">${text.zone}</label>
<select id="timezone" name="timezone">${zoneOptions(timezone)}</select>
<div class="actions"><button>${text.submit}</button></div>
</form>`
    : html`<p>${text.fixed(timezone)}</p>`
}`,
  );
}

function planPart({ signedIn, used, now: at }: Shown): Html {
  const { accountRecord: record } = signedIn.caller;
  const { limits, trial } = entitlementsOf(record, at);
  const text = ACCOUNT.plan;
  const end = record.trial_ends_at;
  const onTrial = end === null ? text.trial : text.trialUntil(shownDay(end, record.timezone));
  const now = text.now(capitalised(record.plan), trial ? onTrial : null, record.status.replaceAll('_', ' '));
  return card(
    text.title,
    html`<p>${now}</p>
<div class="table" tabindex="0" role="group" aria-label="${text.table}"><table>
<thead><tr><th scope="col">${text.what}</th><th scope="col" class="figure">${text.used}</th><th scope="col" class="figure">${text.allowed}</th></tr></thead>
<tbody>${PLAN_LIMIT_NAMES.map(
      (name) =>
        html`<tr><th scope="row">${capitalised(name)}</th><td class="figure">${String(used[name])}</td><td class="figure">${
          limits[name] === -1 ? text.unlimited : String(limits[name])
        }</td></tr>`,
    )}</tbody>
</table></div>
<p class="hint">${text.hint}</p>`,
  );
}

function cachingPart({ signedIn, manages, page }: Shown): Html {
  const { caching } = signedIn.caller.accountRecord;
  const text = ACCOUNT.caching;
  const choice = (value: 'on' | 'off'): Html =>
    html`<label class="choice"><input type="radio" name="caching" value="${value}"${
      (value === 'on') === caching ? html` checked` : html``
    }> <span>${text[value]}</span></label>`;
  return card(
    text.title,
    html`<p>${text.text}</p>
<p>${text.warning}</p>
${
  manages
    ? html`<form method="post" action="${page}/caching">
<fieldset><legend>${text.choice}</legend>
${choice('on')}
${choice('off')}
</fieldset>
<div class="actions"><button>${text.submit}</button></div>
</form>`
    : html`<p>${text.fixed(caching)}</p>`
}`,
  );
}

function exportPart({ page }: Shown): Html {
  return card(
    ACCOUNT.export.title,
    html`<p>${ACCOUNT.export.text}</p>
<div class="actions"><a class="button" href="${page}/export" download>${ACCOUNT.export.download}</a></div>`,
  );
}

function deletePart({ manages, page }: Shown): Html {
  if (!manages) return html``;
  const text = ACCOUNT.delete;
  return html`<section class="card dangerous"><h2>${text.title}</h2>
<p>${text.text}</p>
<div class="actions"><a class="button danger" href="${page}/delete">${text.open}</a></div>
</section>`;
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Everything that `/settings` shows to one person. */
interface ShownAccount {
  readonly email: string;
  readonly signedIn: SignedIn;
  /** Whether a new e-mail address has to be proved by a mailed link. */
  readonly mailed: boolean;
  /** Whether they may change what all members share. */
  readonly manages: boolean;
  /** The account records that the person shares. */
  readonly accounts: readonly { readonly id: OwnerId; readonly label: string }[];
  readonly used: PlanLimits;
  /** Epoch ms. */
  readonly now: number;
}

export async function shownAccount(
  { members, accountRecords, emailChanges, clock }: WebOptions,
  signedIn: SignedIn,
): Promise<ShownAccount> {
  const { user, role, accountRecord } = signedIn.caller;
  const [person, used] = await Promise.all([members.person(user), accountRecords.usage(accountRecord.id)]);
  const accounts = await Promise.all(
    person.accountRecords.map(async (id) => ({ id, label: recordLabelText(await accountRecords.find(id)) })),
  );
  const { manages } = MEMBER_ROLES[role];
  const { mailed } = emailChanges;
  return { email: person.email, signedIn, mailed, manages, accounts, used, now: clock.now() };
}
