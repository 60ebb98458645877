import type { LinkInvitation } from '../../features/hosted-links.ts';
import type { ProviderIdentifier } from '../../vocabulary/providers.ts';
import type { LinkSessionStatus } from '../../vocabulary/states.ts';
import { html } from './html.ts';
import type { PageContent } from './page.ts';

/** Who receives the data, whom the person signs in with, and what is read, as the law of the place wants it said. */
const RECIPIENTS: Readonly<
  Record<ProviderIdentifier, { name: string; role: string; shared: readonly string[] }>
> = {
  au_banking: {
    name: 'Fiskil',
    role: 'Fiskil is the accredited data recipient under the Consumer Data Right. This service acts as its representative and receives your data from it.',
    shared: ['Names and types of your accounts', 'Account numbers and balances', 'Transactions'],
  },
  nz_banking: {
    name: 'Akahu',
    role: 'Akahu reads your accounts on your behalf. This service acts as its representative and receives your data from it.',
    shared: ['Names and types of your accounts', 'Account numbers and balances', 'Transactions'],
  },
  brokerage: {
    name: 'SnapTrade',
    role: 'SnapTrade reads your brokerage accounts on your behalf. This service acts as its representative and receives your data from it.',
    shared: ['Names and types of your accounts', 'Holdings and balances', 'Trades'],
  },
};

const REFRESH_SECONDS = 4;

/** Asks the person, before anything has happened, whether to go on to the bank. */
export function invitationPage(token: string, invitation: LinkInvitation): PageContent {
  const recipient = RECIPIENTS[invitation.provider];
  const bank = invitation.institution ?? 'your bank or broker';
  const until = new Date(invitation.expiresAt).toISOString().slice(11, 16);
  return {
    title: invitation.renewal ? `Renew access to ${bank}` : `Connect ${bank}`,
    body: html`
<dl>
<dt>Asked for by</dt><dd>${invitation.maskedEmail}</dd>
<dt>Bank</dt><dd>${invitation.institution ?? 'You choose it on the next page'}</dd>
<dt>Recipient</dt><dd>${recipient.name}</dd>
</dl>
<p>${recipient.role}</p>
<p>If you continue, these can be read, and nothing can be moved or changed:</p>
<ul>${recipient.shared.map((item) => html`<li>${item}</li>`)}</ul>
<p>You sign in on the next page, with ${bank}; this service never sees your password. You can end the sharing at any time, here or at ${bank}.</p>
<p>If you did not ask for this, or the address above is not yours, cancel.</p>
<div class="actions">
<form method="post" action="/link/${token}"><button class="main">Continue</button></form>
<form method="post" action="/link/${token}/cancel"><button>Cancel</button></form>
</div>
<p><small>This page works until ${until} UTC.</small></p>`,
  };
}

const ENDINGS: Readonly<Record<Exclude<LinkSessionStatus, 'pending'>, { title: string; text: string }>> = {
  completed: { title: 'Connected', text: 'This link has done its work. Nothing is left to do here.' },
  failed: { title: 'Not connected', text: 'This link ended without a connection. To try again, start anew.' },
  expired: { title: 'This link has expired', text: 'Nothing was connected. To try again, start anew.' },
};

/** For someone who comes back to a link that has ended. */
export function endedPage(status: Exclude<LinkSessionStatus, 'pending'>, returnTo: string): PageContent {
  const { title, text } = ENDINGS[status];
  return {
    title,
    body: html`<p>${text}</p><div class="actions"><a class="button main" href="${returnTo}">Go back</a></div>`,
  };
}

/** The bank has not said yet what came of it; the browser asks again by itself. */
export function waitingPage(address: string): PageContent {
  return {
    title: 'One moment',
    refreshSeconds: REFRESH_SECONDS,
    body: html`
<p role="status">What you granted is being confirmed. This page checks every few seconds.</p>
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

/** For an address that opens nothing: misspelt, cut off, or long gone. */
export const UNKNOWN_PAGE: PageContent = {
  title: 'This link does not work',
  body: html`<p>The address is incomplete or no longer valid. Go back to where you got it and start anew.</p>`,
};
