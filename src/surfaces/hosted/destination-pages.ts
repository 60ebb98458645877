import type { DestinationInvitation } from '../../features/destinations/hosted-destination-links.ts';
import type { LinkNotice } from '../../features/linking/link-flow.ts';
import { DESTINATION_KINDS } from '../../vocabulary/destination-kinds.ts';
import { html } from '../http/html.ts';
import type { PageContent } from '../http/page.ts';
import { shownMoment } from '../http/shown-time.ts';
import { DESTINATION_LINKS } from '../text/destination-links.ts';
import { LINKING } from '../text/linking.ts';
import { noticeOf } from './link-pages.ts';

/** Asks the person, before anything has happened, whether rows may leave for the other service. */
export function destinationInvitationPage(
  address: string,
  invitation: DestinationInvitation,
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
<dt>${DESTINATION_LINKS.requestedBy}</dt><dd>${invitation.maskedEmail}</dd>
<dt>${DESTINATION_LINKS.receives}</dt><dd>${name}</dd>
<dt>${DESTINATION_LINKS.may}</dt><dd>${asks}</dd>
</dl>
<p>${DESTINATION_LINKS.copies(name)}</p>
<p>${DESTINATION_LINKS.signIn(name)}</p>
<p>${LINKING.notYou}</p>
<div class="actions">
<form method="post" action="${address}"><button class="main">${LINKING.proceed}</button></form>
<form method="post" action="${address}/cancel"><button>${LINKING.cancel}</button></form>
</div>
<p><small>${LINKING.expires(until)}</small></p>`,
  };
}
