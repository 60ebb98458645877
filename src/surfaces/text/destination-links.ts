import type { DestinationType } from '../../vocabulary/destinations.ts';
import { type Html, html } from '../http/html.ts';

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

/** Before a person goes on to the service that rows are copied to. */
export const DESTINATION_LINKS = {
  recipients: RECIPIENTS,
  title: (vendor: string) => `Connect ${vendor}`,
  renewalTitle: (vendor: string) => `Connect ${vendor} again`,
  requestedBy: 'Requested by',
  receives: 'Receives your data',
  may: 'Will be able to',
  copies: (vendor: string): Html =>
    html`If you continue, transactions and account names can be copied to ${vendor}. <strong>Copied data is no longer protected by the Consumer Data Right</strong> or by this service: the terms of ${vendor} apply to it, and deleting it here does not delete it there.`,
  signIn: (vendor: string) =>
    `You sign in with ${vendor} on the next page; this service never sees your password. You can withdraw this permission at any time, here or at ${vendor}.`,
} as const;
