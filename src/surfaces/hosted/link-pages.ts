import type { DestinationInvitation } from '../../features/destinations/hosted-destination-links.ts';
import type { LinkInvitation } from '../../features/linking/hosted-links.ts';
import type { LinkNotice } from '../../features/linking/link-flow.ts';
import { DESTINATION_KINDS } from '../../vocabulary/destination-kinds.ts';
import { LINK_WORDS } from '../../vocabulary/link-words.ts';
import type { LinkWords } from '../../vocabulary/provider-kinds/kind.ts';
import { isProviderIdentifier, PROVIDERS } from '../../vocabulary/provider-kinds.ts';
import type { LinkSessionStatus } from '../../vocabulary/states.ts';
import { type Html, html } from '../http/html.ts';
import type { PageContent } from '../http/page.ts';
import { shownMoment } from '../http/shown-time.ts';
import { DESTINATION_LINKS, FORMER_PROVIDER, LINK_STATES, LINKING } from '../text/linking.ts';
import { requesterFacts, requesterWarning, type Viewer } from './viewer.ts';

const REFRESH_SECONDS = 4;

/** Asks the person, before anything has happened, whether to continue to the bank. `address`: the path of this page. */
export function invitationPage(
  address: string,
  invitation: LinkInvitation,
  viewer: Viewer,
  notice: LinkNotice | null,
): PageContent {
  const { provider } = invitation;
  const known = isProviderIdentifier(provider);
  const institution = known ? PROVIDERS[provider].texts.institution : LINKING.institution;
  const { recipient, unnamed, page, direct } = wordsFor(
    known ? LINK_WORDS[provider] : FORMER_PROVIDER,
    invitation,
  );
  const bank = invitation.institution ?? unnamed;
  const before = page ?? direct;
  const until = shownMoment(new Date(invitation.expiresAt), invitation.timezone);
  return {
    title: invitation.renewal ? LINKING.renewalTitle(bank) : LINKING.title(bank),
    secretAddress: true,
    formLeadsTo: 'anywhere',
    body: html`
${page === null ? directNoticeOf(notice) : noticeOf(notice, page.vendor)}
<dl>
${requesterFacts(invitation.requester, viewer)}
<dt>${institution}</dt><dd>${before?.chosen(invitation.institution) ?? bank}</dd>
<dt>${LINKING.recipient}</dt><dd>${recipient.name}</dd>
</dl>
<p>${recipient.role}</p>
<p>${LINKING.reads}</p>
<ul>${recipient.shared.map((item) => html`<li>${item}</li>`)}</ul>
<p>${before?.next(bank) ?? ''}</p>
${requesterWarning(invitation.requester, viewer)}
<div class="actions">
<form method="post" action="${address}"><button class="main">${LINKING.proceed}</button></form>
<form method="post" action="${address}/cancel"><button>${LINKING.cancel}</button></form>
</div>
${page === null ? html`` : startAgain(address, invitation.openAttempt, page)}
<p><small>${LINKING.expires(until)}</small></p>`,
  };
}

/** The words of the provider, for a link that leads to a page of the vendor or for one that does not. */
function wordsFor(words: LinkWords, { direct }: LinkInvitation): LinkWords {
  return direct ? { ...words, page: null } : { ...words, direct: null };
}

/** For a person whose page at the bank is used up; for one who did nothing there yet, Continue is enough. */
function startAgain(
  address: string,
  attempt: number | null,
  { vendor, startedAgain }: NonNullable<LinkWords['page']>,
): Html {
  if (attempt === null) return html``;
  return html`
<p>${LINKING.openedAlready(vendor, startedAgain)}</p>
<form method="post" action="${address}/again?after=${String(attempt)}"><button>${LINKING.startAgain(vendor)}</button></form>`;
}

/** Why a person who was at the vendor is back on the first page. */
export function noticeOf(notice: LinkNotice | null, vendor: string): Html {
  return notice === null ? html`` : html`<p role="alert">${LINKING.notices[notice](vendor)}</p>`;
}

function directNoticeOf(notice: LinkNotice | null): Html {
  return notice === null ? html`` : html`<p role="alert">${LINKING.directNotices[notice]}</p>`;
}

/** For someone who comes back to a link that has ended. */
export function endedPage(status: Exclude<LinkSessionStatus, 'pending'>, returnTo: string): PageContent {
  const { title, text } = LINK_STATES.endings[status];
  return {
    title,
    secretAddress: true,
    body: html`<p>${text}</p><div class="actions"><a class="button main" href="${returnTo}">${LINK_STATES.goBack}</a></div>`,
  };
}

/** The bank has not reported the outcome yet; the browser asks again automatically. */
export function waitingPage(address: string): PageContent {
  return {
    title: LINK_STATES.waiting.title,
    secretAddress: true,
    refreshSeconds: REFRESH_SECONDS,
    body: html`
<p role="status">${LINK_STATES.waiting.text}</p>
<div class="actions"><a class="button main" href="${address}">${LINK_STATES.waiting.check}</a></div>`,
  };
}

/** What a person can do after a failed step: an address to try again, and one to stop. */
export interface RetryOffer {
  readonly method: 'get' | 'post';
  readonly address: string;
  readonly cancel: string;
}

/** Something did not answer; the person can try again or stop. */
export function retryPage(message: string, retry: RetryOffer): PageContent {
  return {
    title: LINK_STATES.failed.title,
    secretAddress: true,
    formLeadsTo: 'anywhere',
    body: html`
<p role="alert">${message}</p>
<p>${LINK_STATES.failed.retry}</p>
<div class="actions">
${
  retry.method === 'get'
    ? html`<a class="button main" href="${retry.address}">${LINK_STATES.failed.again}</a>`
    : html`<form method="post" action="${retry.address}"><button class="main">${LINK_STATES.failed.again}</button></form>`
}
<form method="post" action="${retry.cancel}"><button>${LINKING.cancel}</button></form>
</div>`,
  };
}

/** For a person who sends too many requests, or after a failure of our own. */
export function busyPage(message: string): PageContent {
  return {
    title: LINK_STATES.failed.title,
    secretAddress: true,
    body: html`<p role="alert">${message}</p><p>${LINK_STATES.failed.reload}</p>`,
  };
}

/** For an address that opens nothing: misspelt, truncated, or long expired. */
export const UNKNOWN_PAGE: PageContent = {
  title: LINK_STATES.unknown.title,
  secretAddress: true,
  body: html`<p>${LINK_STATES.unknown.text}</p>`,
};

/** Asks the person, before anything has happened, whether rows may leave for the other service. */
export function destinationInvitationPage(
  address: string,
  invitation: DestinationInvitation,
  viewer: Viewer,
  notice: LinkNotice | null,
): PageContent {
  const { recipient: name, mayDo: asks } = DESTINATION_KINDS[invitation.type].texts;
  const until = shownMoment(new Date(invitation.expiresAt), invitation.timezone);
  return {
    title: invitation.renewal ? DESTINATION_LINKS.renewalTitle(name) : DESTINATION_LINKS.title(name),
    secretAddress: true,
    formLeadsTo: 'anywhere',
    body: html`
${noticeOf(notice, name)}
<dl>
${requesterFacts(invitation.requester, viewer)}
<dt>${DESTINATION_LINKS.receives}</dt><dd>${name}</dd>
<dt>${DESTINATION_LINKS.may}</dt><dd>${asks}</dd>
</dl>
<p>${DESTINATION_LINKS.copies(name)}</p>
<p>${DESTINATION_LINKS.signIn(name)}</p>
${requesterWarning(invitation.requester, viewer)}
<div class="actions">
<form method="post" action="${address}"><button class="main">${LINKING.proceed}</button></form>
<form method="post" action="${address}/cancel"><button>${LINKING.cancel}</button></form>
</div>
<p><small>${LINKING.expires(until)}</small></p>`,
  };
}
