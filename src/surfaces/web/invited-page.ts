import type { Invitation } from '../../storage/invitations.ts';
import { html } from '../http/html.ts';
import type { PageContent } from '../http/page.ts';
import { shownMoment } from '../http/shown-time.ts';
import { INVITED } from '../text/invitations.ts';

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
  const said = address === null ? INVITED.mailed : INVITED.made;
  return {
    title: INVITED.title,
    secretAddress: false,
    body: html`
<p role="status">${said(invitation.email, invitation.role)}</p>
${
  address === null
    ? html`<p>${INVITED.mailedText}</p>`
    : html`<label for="link">${INVITED.link}</label>
<input id="link" readonly value="${address}">`
}
<p>${INVITED.ends(shownMoment(invitation.expires_at, timezone))}</p>
<div class="actions"><a class="button main" href="${page}">${INVITED.back}</a></div>`,
  };
}
