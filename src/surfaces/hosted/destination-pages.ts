import type { DestinationInvitation } from '../../features/destinations/hosted-destination-links.ts';
import type { LinkNotice } from '../../features/linking/link-flow.ts';
import type { DestinationType } from '../../vocabulary/destinations.ts';
import { html } from '../http/html.ts';
import type { PageContent } from '../http/page.ts';
import { shownMoment } from '../http/shown-time.ts';
import { noticeOf } from './link-pages.ts';

/** Who receives the rows, and what this service asks to be allowed there. */
const RECIPIENTS: Readonly<Record<DestinationType, { readonly name: string; readonly asks: string }>> = {
  sheets: { name: 'Google Sheets', asks: 'Create spreadsheets, and read and edit those you choose' },
  notion: { name: 'Notion', asks: 'Read and edit the pages you share with it' },
  airtable: { name: 'Airtable', asks: 'Read and edit records and fields in the bases you choose' },
  ynab: { name: 'YNAB', asks: 'Read your plans and add transactions to them' },
  webhook: { name: 'a webhook', asks: 'Nothing: it needs no link' },
  postgres: { name: 'a Postgres database', asks: 'Nothing: it needs no link' },
  actual: { name: 'Actual Budget', asks: 'Nothing: it needs no link' },
};

/** Asks the person, before anything has happened, whether rows may leave for the other service. */
export function destinationInvitationPage(
  address: string,
  invitation: DestinationInvitation,
  notice: LinkNotice | null,
): PageContent {
  const { name, asks } = RECIPIENTS[invitation.type];
  const until = shownMoment(new Date(invitation.expiresAt), invitation.timezone);
  return {
    title: invitation.renewal ? `Connect ${name} again` : `Connect ${name}`,
    body: html`
${noticeOf(notice, name)}
<dl>
<dt>Requested by</dt><dd>${invitation.maskedEmail}</dd>
<dt>Receives your data</dt><dd>${name}</dd>
<dt>Will be able to</dt><dd>${asks}</dd>
</dl>
<p>If you continue, transactions and account names can be copied to ${name}. <strong>Copied data is no longer protected by the Consumer Data Right</strong> or by this service: the terms of ${name} apply to it, and deleting it here does not delete it there.</p>
<p>You sign in with ${name} on the next page; this service never sees your password. You can withdraw this permission at any time, here or at ${name}.</p>
<p>If you did not request this, or the email address above is not yours, cancel.</p>
<div class="actions">
<form method="post" action="${address}"><button class="main">Continue</button></form>
<form method="post" action="${address}/cancel"><button>Cancel</button></form>
</div>
<p><small>This link expires on ${until}.</small></p>`,
  };
}
