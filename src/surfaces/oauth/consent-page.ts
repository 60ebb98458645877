import type { SessionCaller } from '../../features/access/caller.ts';
import type { AppRequest, AskedScope } from '../../features/oauth/app-requests.ts';
import type { SharedRecord } from '../../storage/shared-records.ts';
import { publicId } from '../../vocabulary/ids.ts';
import { type ConsentGroup, OAUTH_SCOPES } from '../../vocabulary/oauth-scopes.ts';
import { type Html, html } from '../http/html.ts';
import type { PageContent } from '../http/page.ts';
import { CONSENT } from '../text/consent.ts';
import { recordLabel, recordLabelText } from '../text/frame.ts';

/** What was wrong with a decision made on the page. */
export type ConsentNotice = 'changed' | 'nothing_chosen' | 'full';

/** Who decides, and for which account record. */
export interface ConsentingPerson extends Pick<SessionCaller, 'accountRecord'> {
  readonly email: string;
  /** The account records that the person shares, among them that one. */
  readonly shared: readonly SharedRecord[];
}

/** Where the decision is posted, and what proves that it was made on this page. */
export interface ConsentForm {
  readonly action: string;
  readonly proof: string;
}

/** Asks a signed-in person whether an app may have the requested access. */
export function consentPage(
  form: ConsentForm,
  request: AppRequest,
  person: ConsentingPerson,
  notice: ConsentNotice | null,
): PageContent {
  const name = request.clientName ?? CONSENT.unnamed;
  const groups: readonly ConsentGroup[] = ['reads', 'brokerage', 'writes'];
  return {
    title: CONSENT.title,
    secretAddress: true,
    ...leadsTo(request),
    body: html`
${notice === null ? html`` : html`<p role="alert">${CONSENT.notices[notice]}</p>`}
<p>${CONSENT.asks(name, origin(request))}</p>
<dl>
<dt>${CONSENT.accountRecord}</dt><dd>${recordLabel(person.accountRecord)}</dd>
<dt>${CONSENT.signedIn}</dt><dd>${person.email}</dd>
<dt>${CONSENT.opens}</dt><dd>${request.resource.title}</dd>
<dt>${CONSENT.returnsTo}</dt><dd>${request.redirect.shown}</dd>
</dl>
${recordChooser(form, person)}
<p>${warning(request)}</p>
<form method="post" action="${form.action}">
${decisionFields(form, person)}
${groups.map((group) => fieldset(group, asked(request, group)))}
<p>${CONSENT.onlyRecord(recordLabel(person.accountRecord))} ${CONSENT.never}</p>
<div class="actions">
<button class="main" name="decision" value="allow">${CONSENT.allow}</button>
<button name="decision" value="deny">${CONSENT.deny}</button>
</div>
</form>`,
  };
}

/** For a request that can no longer be decided. */
export const GONE_PAGE: PageContent = {
  title: CONSENT.gone.title,
  secretAddress: true,
  body: html`<p>${CONSENT.gone.text}</p>`,
};

/**
 * Between the decision and an app on the web or on the loopback interface. Browsers apply the policy of a form's page
 * to every redirect that follows, and it is unknown where such an app redirects to; this page continues without a form.
 */
export function goingPage(address: string): PageContent {
  const { title, text, proceed } = CONSENT.going;
  return {
    title,
    secretAddress: true,
    goesOnTo: address,
    body: html`<p role="status">${text}</p>
<div class="actions"><a class="button main" href="${address}">${proceed}</a></div>`,
  };
}

/** For an account record whose plan has no apps; another may have them. */
export function closedPage(form: ConsentForm, request: AppRequest, person: ConsentingPerson): PageContent {
  return {
    title: CONSENT.closed.title,
    secretAddress: true,
    ...leadsTo(request),
    body: html`<p>${CONSENT.closed.text}</p>
<dl><dt>${CONSENT.accountRecord}</dt><dd>${recordLabel(person.accountRecord)}</dd></dl>
${recordChooser(form, person)}
<form method="post" action="${form.action}">${decisionFields(form, person)}
<button name="decision" value="deny">${CONSENT.closed.back}</button></form>`,
  };
}

/** What the decision is about; the proof holds for this account record and no other. */
function decisionFields({ proof }: ConsentForm, { accountRecord }: ConsentingPerson): Html {
  return html`<input type="hidden" name="proof" value="${proof}">
<input type="hidden" name="record" value="${publicId('account_record', accountRecord.id)}">`;
}

/**
 * Shows the page again for another account record, because what can be granted depends on the role there and on its
 * plan. Nothing for someone who shares only one.
 */
function recordChooser({ action }: ConsentForm, { accountRecord, shared }: ConsentingPerson): Html {
  if (shared.length < 2) return html``;
  // Of very many, only the first are listed.
  const listed = shared.some(({ id }) => id === accountRecord.id) ? shared : [accountRecord, ...shared];
  const options = listed.map(
    (one) =>
      html`<option value="${publicId('account_record', one.id)}"${one.id === accountRecord.id ? html` selected` : html``}>${recordLabelText(one)}</option>`,
  );
  return html`<form method="get" action="${action}">
<label for="record">${CONSENT.chooser.label}</label>
<select id="record" name="record">${options}</select>
<div class="actions"><button>${CONSENT.chooser.submit}</button></div>
</form>`;
}

function asked({ asked: scopes }: AppRequest, group: ConsentGroup): AskedScope[] {
  return scopes.filter(({ scope }) => OAUTH_SCOPES[scope].group === group);
}

function fieldset(group: ConsentGroup, scopes: readonly AskedScope[]): Html {
  if (scopes.length === 0) return html``;
  return html`<fieldset><legend>${CONSENT.groups[group]}</legend>
${scopes.map((one) => checkbox(one, group === 'reads'))}
</fieldset>`;
}

function checkbox({ scope, objection }: AskedScope, chosen: boolean): Html {
  const shown = CONSENT.scope(OAUTH_SCOPES[scope].allows, scope);
  if (objection !== null) {
    return html`<label class="choice"><input type="checkbox" disabled> <span>${CONSENT.refused(shown, CONSENT.objections[objection])}</span></label>`;
  }
  return html`<label class="choice"><input type="checkbox" name="scope" value="${scope}"${chosen ? html` checked` : html``}> <span>${shown}</span></label>`;
}

function origin({ clientHost }: AppRequest): Html | string {
  return clientHost === null ? CONSENT.ownName : CONSENT.vouchedName(clientHost);
}

function warning({ redirect, clientHost }: AppRequest): Html {
  switch (redirect.kind) {
    case 'loopback':
    case 'app':
      return CONSENT.warnings[redirect.kind];
    case 'web':
      return clientHost === null || clientHost === redirect.shown
        ? CONSENT.warnings.web(redirect.shown)
        : CONSENT.warnings.elsewhere(redirect.shown, clientHost);
  }
}

/** An app with a private-use scheme is opened by the form itself, because systems require a click for that. */
function leadsTo({ redirectUri, redirect }: AppRequest): Pick<PageContent, 'formLeadsTo'> {
  return redirect.kind === 'app' ? { formLeadsTo: new URL(redirectUri) } : {};
}
