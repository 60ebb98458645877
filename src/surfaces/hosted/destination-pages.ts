import type { DestinationInvitation } from '../../features/hosted-destination-links.ts';
import type { DestinationType } from '../../vocabulary/destinations.ts';
import { html } from './html.ts';
import type { PageContent } from './page.ts';

/** Who receives the rows, and what this service asks to be allowed there. */
const RECIPIENTS: Readonly<Record<DestinationType, { readonly name: string; readonly asks: string }>> = {
  sheets: { name: 'Google Sheets', asks: 'Make spreadsheets, and read and write those you choose' },
  notion: { name: 'Notion', asks: 'Read and write the pages you share with it' },
  airtable: { name: 'Airtable', asks: 'Read and write records and fields of the bases you choose' },
  ynab: { name: 'YNAB', asks: 'Read your plans and write transactions into them' },
  webhook: { name: 'a webhook', asks: 'Nothing: it needs no link' },
};

/** Asks the person, before anything has happened, whether rows may leave for the other service. */
export function destinationInvitationPage(token: string, invitation: DestinationInvitation): PageContent {
  const { name, asks } = RECIPIENTS[invitation.type];
  const until = new Date(invitation.expiresAt).toISOString().slice(11, 16);
  return {
    title: invitation.renewal ? `Connect ${name} again` : `Connect ${name}`,
    body: html`
<dl>
<dt>Asked for by</dt><dd>${invitation.maskedEmail}</dd>
<dt>Receives your data</dt><dd>${name}</dd>
<dt>Will be able to</dt><dd>${asks}</dd>
</dl>
<p>If you continue, transactions and account names can be copied to ${name}. <strong>What is copied leaves the protection of the Consumer Data Right</strong> and of this service: from then on the terms of ${name} apply to it, and deleting it here does not delete it there.</p>
<p>You sign in on the next page, with ${name}; this service never sees your password. You can take the permission back at any time, here or at ${name}.</p>
<p>If you did not ask for this, or the address above is not yours, cancel.</p>
<div class="actions">
<form method="post" action="/connect/${token}"><button class="main">Continue</button></form>
<form method="post" action="/connect/${token}/cancel"><button>Cancel</button></form>
</div>
<p><small>This page works until ${until} UTC.</small></p>`,
  };
}
