import type { SessionCaller } from '../../features/access/caller.ts';
import type { AppRequest, AskedScope, ScopeObjection } from '../../features/oauth/app-requests.ts';
import { type ConsentGroup, OAUTH_SCOPES } from '../../vocabulary/oauth-scopes.ts';
import { type Html, html } from '../http/html.ts';
import type { PageContent } from '../http/page.ts';

/** What went wrong with an answer that was given on the page. */
export type ConsentNotice = 'changed' | 'nothing_chosen' | 'full';

const NOTICES: Readonly<Record<ConsentNotice, string>> = {
  changed:
    'Your session or its account record is another than when you opened this page. Read it again, then decide.',
  nothing_chosen: 'You chose nothing that the app may do. Choose something, or deny.',
  full: 'Too many apps are connected to this account record. Disconnect one of yours in the security settings, then try again.',
};

const HEADINGS: Readonly<Record<ConsentGroup, string>> = {
  reads: 'It may',
  brokerage: 'Only if you allow it, it may',
  writes: 'Only if you allow it, it may change things:',
};

const OBJECTIONS: Readonly<Record<ScopeObjection, string>> = {
  role: 'you can only read this account record',
  plan: 'the plan does not include it',
};

/** Asks a signed-in person whether an app may do what it asks for. `action`: where the answer is posted. */
export function consentPage(
  action: string,
  proof: string,
  request: AppRequest,
  person: SessionCaller,
  notice: ConsentNotice | null,
): PageContent {
  const name = request.clientName ?? 'An app without a name';
  const groups: readonly ConsentGroup[] = ['reads', 'brokerage', 'writes'];
  return {
    title: 'Connect an app?',
    formLeadsTo: leadsTo(request),
    body: html`
${notice === null ? html`` : html`<p role="alert">${NOTICES[notice]}</p>`}
<p><strong>${name}</strong> asks for access to your data. ${origin(request)}</p>
<dl>
<dt>Account record</dt><dd>${person.accountRecord.email}</dd>
<dt>Opens</dt><dd>${request.resource.title}</dd>
<dt>Returns to</dt><dd>${request.redirect.shown}</dd>
</dl>
${warning(request)}
<form method="post" action="${action}">
<input type="hidden" name="proof" value="${proof}">
${groups.map((group) => fieldset(group, asked(request, group)))}
<p>You can disconnect the app at any time. It never sees your password, and cannot create API keys.</p>
<div class="actions">
<button class="main" name="decision" value="allow">Allow</button>
<button name="decision" value="deny">Deny</button>
</div>
</form>`,
  };
}

/** Where nobody can decide on the request any more. */
export const GONE_PAGE: PageContent = {
  title: 'This request is over',
  body: html`<p>It has expired, was answered already, or was opened by somebody else. Go back to the app and start over.</p>`,
};

export function closedPage(action: string, proof: string, request: AppRequest): PageContent {
  return {
    title: 'The plan does not include apps',
    formLeadsTo: leadsTo(request),
    body: html`<p>Apps use the API, which the plan of this account record does not include.</p>
<form method="post" action="${action}"><input type="hidden" name="proof" value="${proof}">
<button name="decision" value="deny">Back to the app</button></form>`,
  };
}

function asked({ asked: scopes }: AppRequest, group: ConsentGroup): AskedScope[] {
  return scopes.filter(({ scope }) => OAUTH_SCOPES[scope].group === group);
}

function fieldset(group: ConsentGroup, scopes: readonly AskedScope[]): Html {
  if (scopes.length === 0) return html``;
  return html`<fieldset><legend>${HEADINGS[group]}</legend>
${scopes.map((one) => checkbox(one, group === 'reads'))}
</fieldset>`;
}

function checkbox({ scope, objection }: AskedScope, chosen: boolean): Html {
  const { allows } = OAUTH_SCOPES[scope];
  if (objection !== null) {
    return html`<label class="choice"><input type="checkbox" disabled> <span>${allows} (<code>${scope}</code>): ${OBJECTIONS[objection]}</span></label>`;
  }
  const checked = chosen ? html` checked` : html``;
  return html`<label class="choice"><input type="checkbox" name="scope" value="${scope}"${checked}> <span>${allows} (<code>${scope}</code>)</span></label>`;
}

function origin({ clientHost }: AppRequest): Html {
  return clientHost === null
    ? html`It chose this name itself, and nobody has checked it.`
    : html`It says so at <strong>${clientHost}</strong>, whose owner vouches for it; nobody else has checked it.`;
}

function warning({ redirect, clientHost }: AppRequest): Html {
  switch (redirect.kind) {
    case 'loopback':
      return html`<p><strong>It returns to a program on this computer</strong>, and any program here can call itself that. Continue only if you have just started this yourself.</p>`;
    case 'app':
      return html`<p><strong>It returns to an app on this device</strong>, and any app here can call itself that. Continue only if you have just started this yourself.</p>`;
    case 'web':
      return clientHost === null || clientHost === redirect.shown
        ? html`<p>The owner of <strong>${redirect.shown}</strong> receives the access. Continue only if you know and trust it.</p>`
        : html`<p><strong>It returns to ${redirect.shown}, not to ${clientHost}.</strong> Continue only if you know and trust both.</p>`;
  }
}

/** For browsers, which hold the redirect after a form to the page's policy: this one place and no other. */
function leadsTo({ redirectUri, redirect }: AppRequest): string {
  if (redirect.kind === 'app') return redirect.shown;
  const { origin: source, protocol, hostname } = new URL(redirectUri);
  // The policy has no way to write an IPv6 address.
  return hostname.startsWith('[') ? protocol : source;
}
