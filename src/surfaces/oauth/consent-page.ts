import type { SessionCaller } from '../../features/access/caller.ts';
import type { AppRequest, AskedScope } from '../../features/oauth/app-requests.ts';
import { type ConsentGroup, OAUTH_SCOPES } from '../../vocabulary/oauth-scopes.ts';
import { type Html, html } from '../http/html.ts';
import type { PageContent } from '../http/page.ts';
import { CONSENT } from '../text/consent.ts';
import { recordLabel } from '../text/frame.ts';

/** What was wrong with a decision made on the page. */
export type ConsentNotice = 'changed' | 'nothing_chosen' | 'full';

/** Who decides, and for which account record. */
export interface ConsentingPerson extends Pick<SessionCaller, 'accountRecord'> {
  readonly email: string;
}

/** Asks a signed-in person whether an app may have the requested access. `action`: where the decision is posted. */
export function consentPage(
  action: string,
  proof: string,
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
<p>${warning(request)}</p>
<form method="post" action="${action}">
<input type="hidden" name="proof" value="${proof}">
${groups.map((group) => fieldset(group, asked(request, group)))}
<p>${CONSENT.never}</p>
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

export function closedPage(action: string, proof: string, request: AppRequest): PageContent {
  return {
    title: CONSENT.closed.title,
    secretAddress: true,
    ...leadsTo(request),
    body: html`<p>${CONSENT.closed.text}</p>
<form method="post" action="${action}"><input type="hidden" name="proof" value="${proof}">
<button name="decision" value="deny">${CONSENT.closed.back}</button></form>`,
  };
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
