import { type Html, html } from '../http/html.ts';

/** Before a person goes on to the service that rows are copied to. */
export const DESTINATION_LINKS = {
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
