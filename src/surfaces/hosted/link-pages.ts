import type { DestinationInvitation } from '../../features/destinations/hosted-destination-links.ts';
import type { LinkInvitation } from '../../features/linking/hosted-links.ts';
import type { LinkNotice } from '../../features/linking/link-flow.ts';
import { DESTINATION_KINDS } from '../../vocabulary/destination-kinds.ts';
import { MOST_ENTERED_CHARACTERS } from '../../vocabulary/entered-values.ts';
import type { LinkTerms, LinkWay } from '../../vocabulary/link-terms.ts';
import { LINK_WORDS } from '../../vocabulary/link-words.ts';
import type { LinkWords } from '../../vocabulary/provider-kinds/kind.ts';
import { isLinkedProvider, isProviderIdentifier, PROVIDERS } from '../../vocabulary/provider-kinds.ts';
import type { LinkSessionStatus } from '../../vocabulary/states.ts';
import { type Html, html } from '../http/html.ts';
import type { PageContent } from '../http/page.ts';
import { shownMoment } from '../http/shown-time.ts';
import {
  DESTINATION_LINKS,
  FORMER_PROVIDER,
  LINK_STATES,
  LINK_TERMS,
  LINKING,
  OTHER_BANK,
} from '../text/linking.ts';
import { requesterFacts, requesterWarning, stopText, type Viewer } from './viewer.ts';

const REFRESH_SECONDS = 4;
/** No way of any institution: an adapter then takes that of the session it renews. */
const AS_BEFORE = 'before';

/** The name of the field for what a provider asks for. */
export const ENTRY_FIELD = 'entered';
/** The name of the field for the way to sign in that a person chooses. */
export const CHOICE_FIELD = 'way';

/** Asks the person, before anything has happened, whether to continue to the bank. `address`: the path of this page. */
export function invitationPage(
  address: string,
  invitation: LinkInvitation,
  viewer: Viewer,
  notice: LinkNotice | null,
): PageContent {
  const { provider } = invitation;
  const known = isProviderIdentifier(provider) && isLinkedProvider(provider);
  const institution = known ? PROVIDERS[provider].texts.institution : LINKING.institution;
  const { recipient, unnamed, page, direct, entry } = wordsFor(
    known ? LINK_WORDS[provider] : FORMER_PROVIDER,
    invitation,
  );
  const bank = invitation.institution ?? unnamed;
  const before = page ?? direct;
  const { terms } = invitation;
  const ways = terms === null || terms.ways.length < 2 ? null : terms.ways;
  const until = shownMoment(new Date(invitation.expiresAt), invitation.timezone);
  return {
    title: invitation.renewal ? LINKING.renewalTitle(bank) : LINKING.title(bank),
    secretAddress: true,
    formLeadsTo: 'anywhere',
    body: html`
${page === null ? directNoticeOf(notice, entry) : noticeOf(notice, page.vendor)}
<dl>
${requesterFacts(invitation.requester, viewer)}
<dt>${institution}</dt><dd>${before?.chosen(invitation.institution) ?? bank}</dd>
${terms === null ? html`` : termsRows(terms)}
<dt>${LINKING.recipient}</dt><dd>${recipient.name}</dd>
</dl>
<p>${recipient.role}</p>
<p>${LINKING.reads}</p>
<ul>${recipient.shared.map((item) => html`<li>${item}</li>`)}</ul>
<p>${before?.next(bank) ?? ''} ${stopText(viewer, before?.stop?.(bank) ?? null)}</p>
${requesterWarning(viewer)}
${
  page !== null && ways !== null
    ? wayForm(address, { ways, renewal: invitation.renewal }, invitation.openAttempt, page)
    : html`${entry === null || invitation.entryFrom === null ? actions(address) : entryForm(address, entry, invitation.entryFrom)}
${page === null ? html`` : startAgain(address, invitation.openAttempt, page)}`
}
<p><small>${LINKING.expires(until)}</small></p>`,
  };
}

function actions(address: string): Html {
  return html`<div class="actions">
<form method="post" action="${address}"><button class="main">${LINKING.proceed}</button></form>
<form method="post" action="${address}/cancel"><button>${LINKING.cancel}</button></form>
</div>`;
}

/**
 * For a provider that asks for a value: where it comes from, and the field, whose contents no browser is to keep.
 *
 * @param from the address of the page that gives the value
 */
function entryForm(address: string, { label, where, hint }: Entry, from: string): Html {
  return html`<p><a href="${from}" target="_blank" rel="noopener noreferrer">${where}</a>. ${hint}</p>
<form method="post" action="${address}">
<label for="${ENTRY_FIELD}">${label}</label>
<input id="${ENTRY_FIELD}" name="${ENTRY_FIELD}" type="text" required maxlength="${String(MOST_ENTERED_CHARACTERS)}" autocomplete="off" autocapitalize="none" spellcheck="false">
<div class="actions"><button class="main">${LINKING.proceed}</button></div>
</form>
<div class="actions"><form method="post" action="${address}/cancel"><button>${LINKING.cancel}</button></form></div>`;
}

function termsRows({ country, consentDays }: LinkTerms): Html {
  return html`<dt>${LINK_TERMS.country}</dt><dd>${countryName(country)}</dd>
<dt>${LINK_TERMS.consent}</dt><dd>${LINK_TERMS.days(consentDays)}</dd>`;
}

function countryName(code: string): string {
  return new Intl.DisplayNames('en', { type: 'region', fallback: 'code' }).of(code) ?? code;
}

/** For an institution with several ways to sign in. The button to start again is in the form, to keep the choice. */
function wayForm(
  address: string,
  { ways, renewal }: { readonly ways: readonly LinkWay[]; readonly renewal: boolean },
  attempt: number | null,
  { vendor, startedAgain }: NonNullable<LinkWords['page']>,
): Html {
  const hasMethods = ways.some(({ method }) => method !== null);
  const options = [
    ...(renewal ? [{ id: AS_BEFORE, label: LINK_TERMS.asBefore, hint: '' }] : []),
    ...ways.map((way) => ({ id: way.id, label: wayName(way), hint: wayHint(way, hasMethods) })),
  ];
  return html`<form method="post" action="${address}">
<fieldset><legend>${hasMethods ? LINK_TERMS.choose : LINK_TERMS.chooseAccounts}</legend>
${options.map(
  ({ id, label, hint }, at) =>
    html`<label class="choice"><input type="radio" name="${CHOICE_FIELD}" value="${id}"${at === 0 ? html` checked` : html``}> <span>${label}${
      hint === '' ? html`` : html`<br><small>${hint}</small>`
    }</span></label>`,
)}
</fieldset>
<div class="actions"><button class="main">${LINKING.proceed}</button></div>
${
  attempt === null
    ? html``
    : html`<p>${LINK_TERMS.openedAlready(vendor, startedAgain)}</p>
<button formaction="${address}/again?after=${String(attempt)}">${LINKING.startAgain(vendor)}</button>`
}
</form>
<div class="actions"><form method="post" action="${address}/cancel"><button>${LINKING.cancel}</button></form></div>`;
}

/** @param hasMethods whether the institution has several methods, so that the usual one has to be told from them */
function wayHint({ accounts, method }: LinkWay, hasMethods: boolean): string {
  if (method !== null) return LINK_TERMS.hint(method);
  return hasMethods && accounts !== null ? LINK_TERMS.usualHint : '';
}

function wayName({ accounts, method }: LinkWay): string {
  const kind = accounts === null ? null : LINK_TERMS.accounts[accounts];
  return [kind, method?.name ?? (kind === null ? LINK_TERMS.usual : null)]
    .filter((part) => part !== null)
    .join(' – ');
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
  return notice === 'other_browser' || notice === 'replaced'
    ? html`<p role="alert">${LINKING.notices[notice](vendor)}</p>`
    : html``;
}

function directNoticeOf(notice: LinkNotice | null, entry: Entry | null): Html {
  if (notice === null) return html``;
  if (notice === 'other_browser' || notice === 'replaced') {
    const words = entry === null ? LINKING.directNotices : LINKING.entryNotices;
    return html`<p role="alert">${words[notice]}</p>`;
  }
  if (entry === null) return html``;
  return html`<p role="alert">${notice === 'nothing' ? LINKING.entryMissing(entry.label) : entry.problems[notice]}</p>`;
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

/**
 * For a person who linked another bank than the one that was chosen, before they return: only here do they learn of it,
 * if they are a customer of the developer who asks.
 */
export function otherBankPage(
  address: string,
  { linked, chosen }: NonNullable<LinkInvitation['other']>,
  returnTo: string,
): PageContent {
  return {
    title: OTHER_BANK.title(linked, chosen),
    secretAddress: true,
    formLeadsTo: 'anywhere',
    body: html`<p role="status">${OTHER_BANK.text(linked, chosen)}</p>
<div class="actions">
<form method="post" action="${address}/another"><button class="main">${OTHER_BANK.link(chosen)}</button></form>
<a class="button" href="${returnTo}">${OTHER_BANK.keep(linked)}</a>
</div>`,
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

type Entry = NonNullable<LinkWords['entry']>;

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
${requesterWarning(viewer)}
<div class="actions">
<form method="post" action="${address}"><button class="main">${LINKING.proceed}</button></form>
<form method="post" action="${address}/cancel"><button>${LINKING.cancel}</button></form>
</div>
<p><small>${LINKING.expires(until)}</small></p>`,
  };
}
