import type { Invitation } from '../../storage/invitations.ts';
import { html } from '../http/html.ts';
import type { PageContent } from '../http/page.ts';
import { shownMoment } from '../http/shown-time.ts';

/** Shows the link of a new invitation, once, since nothing stored would show it again; or says that it was mailed. */
export function invitedPage(shown: {
  readonly invitation: Invitation;
  /** The page that accepts it; null where only the person invited may have it. */
  readonly address: string | null;
  readonly page: string;
  /** The zone of the account record that invites: the person invited has none yet. */
  readonly timezone: string;
}): PageContent {
  const { invitation, address, page, timezone } = shown;
  return {
    title: 'Invitation ready',
    body: html`
<p role="status">${invitation.email} is invited as ${invitation.role}${address === null ? ', and a mail is on its way' : ''}.</p>
${
  address === null
    ? html`<p>The link is in that mail alone, and works once.</p>`
    : html`<label for="link">The link, to pass on yourself. It is shown only now, and works once.</label>
<input id="link" readonly value="${address}">`
}
<p>It ends on ${shownMoment(invitation.expires_at, timezone)}.</p>
<div class="actions"><a class="button main" href="${page}">Back</a></div>`,
  };
}
