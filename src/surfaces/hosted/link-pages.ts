import type { Recipient } from '../../connectors/providers/provider-party.ts';
import type { LinkInvitation } from '../../features/linking/hosted-links.ts';
import type { LinkNotice } from '../../features/linking/link-flow.ts';
import type { LinkSessionStatus } from '../../vocabulary/states.ts';
import { type Html, html } from '../http/html.ts';
import type { PageContent } from '../http/page.ts';
import { shownMoment } from '../http/shown-time.ts';

/** For a link that was given out before its provider was taken out of the service. */
const UNNAMED: Recipient = {
  name: 'The data provider of this service',
  role: 'It reads your accounts on your behalf. This service acts as its representative and receives your data from it.',
  shared: ['Names and types of your accounts', 'Account numbers and balances', 'Transactions'],
};

const REFRESH_SECONDS = 4;

/** Asks the person, before anything has happened, whether to go on to the bank. `address`: the path of this page. */
export function invitationPage(
  address: string,
  invitation: LinkInvitation,
  notice: LinkNotice | null,
  recipient: Recipient = UNNAMED,
): PageContent {
  const bank = invitation.institution ?? 'your bank or broker';
  const until = shownMoment(new Date(invitation.expiresAt), invitation.timezone);
  return {
    title: invitation.renewal ? `Renew access to ${bank}` : `Connect ${bank}`,
    body: html`
${noticeOf(notice, bank)}
<dl>
<dt>Requested by</dt><dd>${invitation.maskedEmail}</dd>
<dt>Bank</dt><dd>${invitation.institution ?? 'You choose it on the next page'}</dd>
<dt>Recipient</dt><dd>${recipient.name}</dd>
</dl>
<p>${recipient.role}</p>
<p>If you continue, this service can read the following. It cannot move money or change anything:</p>
<ul>${recipient.shared.map((item) => html`<li>${item}</li>`)}</ul>
<p>You sign in with ${bank} on the next page; this service never sees your password. You can stop sharing at any time, here or at ${bank}.</p>
<p>If you did not request this, or the email address above is not yours, cancel.</p>
<div class="actions">
<form method="post" action="${address}"><button class="main">Continue</button></form>
<form method="post" action="${address}/cancel"><button>Cancel</button></form>
</div>
${startAgain(address, invitation.openAttempt, bank)}
<p><small>This link expires on ${until}.</small></p>`,
  };
}

/** For somebody who comes back to find the bank's page used up; to the one who did nothing there yet, Continue will do. */
function startAgain(address: string, attempt: number | null, bank: string): Html {
  if (attempt === null) return html``;
  return html`
<p>You have already opened ${bank} from this link, and Continue opens the same page again. If that page says it was used or has expired, start again: any consent you gave there is withdrawn first.</p>
<form method="post" action="${address}/again?after=${String(attempt)}"><button>Start again at the bank</button></form>`;
}

const NOTICES: Readonly<Record<LinkNotice, (vendor: string) => Html>> = {
  other_browser: (vendor) =>
    html`<p role="alert">You returned from ${vendor} in a different browser from the one you started in, or in one that blocks cookies, so <strong>nothing was connected</strong>. This protects you: somebody else could have sent you there to gain access to your data. If you started this yourself, press Continue and complete it again in this browser. If somebody sent you the link, cancel.</p>`,
  replaced: (vendor) =>
    html`<p role="alert">You returned from a page at ${vendor} that has since been replaced, so <strong>nothing was connected</strong>. Press Continue to try again.</p>`,
};

/** Why a person who was at the vendor is back on the first page. */
export function noticeOf(notice: LinkNotice | null, vendor: string): Html {
  return notice === null ? html`` : NOTICES[notice](vendor);
}

const ENDINGS: Readonly<Record<Exclude<LinkSessionStatus, 'pending'>, { title: string; text: string }>> = {
  completed: {
    title: 'Connected',
    text: 'This link has already been used. There is nothing left to do here.',
  },
  failed: { title: 'Not connected', text: 'This link ended without a connection. To try again, start over.' },
  expired: { title: 'This link has expired', text: 'Nothing was connected. To try again, start over.' },
};

/** For someone who comes back to a link that has ended. */
export function endedPage(status: Exclude<LinkSessionStatus, 'pending'>, returnTo: string): PageContent {
  const { title, text } = ENDINGS[status];
  return {
    title,
    body: html`<p>${text}</p><div class="actions"><a class="button main" href="${returnTo}">Go back</a></div>`,
  };
}

/** The bank has not reported the outcome yet; the browser asks again by itself. */
export function waitingPage(address: string): PageContent {
  return {
    title: 'One moment',
    refreshSeconds: REFRESH_SECONDS,
    body: html`
<p role="status">Your consent is being confirmed. This page checks every few seconds.</p>
<div class="actions"><a class="button main" href="${address}">Check now</a></div>`,
  };
}

/** What a person can do after a step that failed: an address to try, and one to stop at. */
export interface RetryOffer {
  readonly method: 'get' | 'post';
  readonly address: string;
  readonly cancel: string;
}

/** Something did not answer; what the person can do is try again or stop. */
export function retryPage(message: string, retry: RetryOffer): PageContent {
  return {
    title: 'That did not work yet',
    body: html`
<p role="alert">${message}</p>
<p>Nothing is lost. Wait a moment and try again; your link stays open.</p>
<div class="actions">
${
  retry.method === 'get'
    ? html`<a class="button main" href="${retry.address}">Try again</a>`
    : html`<form method="post" action="${retry.address}"><button class="main">Try again</button></form>`
}
<form method="post" action="${retry.cancel}"><button>Cancel</button></form>
</div>`,
  };
}

/** For a person who sends too many requests, or after a failure of our own. */
export function busyPage(message: string): PageContent {
  return {
    title: 'That did not work yet',
    body: html`<p role="alert">${message}</p><p>Nothing is lost. Wait a moment, then reload this page.</p>`,
  };
}

/** For an address that opens nothing: misspelt, cut off, or long gone. */
export const UNKNOWN_PAGE: PageContent = {
  title: 'This link does not work',
  body: html`<p>The address is incomplete or no longer valid. Go back to where you found it and start over.</p>`,
};
