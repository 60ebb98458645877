import type { FastifyRequest } from 'fastify';
import type { Requester } from '../../features/linking/hosted-links.ts';
import type { Members } from '../../features/sign-in/members.ts';
import type { SessionAuthenticator } from '../../features/sign-in/session-authenticator.ts';
import { maskedEmail } from '../../vocabulary/email.ts';
import { type Html, html } from '../http/html.ts';
import { recordLabel } from '../text/frame.ts';
import { REQUESTER } from '../text/linking.ts';

export interface ViewerServices {
  readonly sessions: Pick<SessionAuthenticator, 'credentialIn' | 'find'>;
  readonly members: Pick<Members, 'person' | 'list'>;
}

/**
 * Who opened a hosted page, by the session of the browser: someone who shares the account record that asks, someone
 * signed in for another, or someone unknown, such as the customer of a developer. Only the first is told more of the
 * account record than strangers are.
 */
export type Viewer =
  | { readonly kind: 'member'; readonly email: string }
  | { readonly kind: 'other'; readonly email: string }
  | {
      readonly kind: 'stranger';
      /** Masked e-mail addresses of people who share the account record: those who joined first. */
      readonly readers: readonly string[];
      /** How many others share it. */
      readonly more: number;
    };

/** As many as a person reads; an account record has few more. */
const READERS_SHOWN = 3;

export async function viewerOf(
  { headers }: FastifyRequest,
  { record }: Requester,
  { sessions, members }: ViewerServices,
): Promise<Viewer> {
  const secret = sessions.credentialIn({ cookie: headers.cookie });
  const signedIn = secret === null ? null : await sessions.find(secret);
  if (signedIn === null) {
    const readers = (await members.list(record)).map(({ email }) => maskedEmail(email));
    return {
      kind: 'stranger',
      readers: readers.slice(0, READERS_SHOWN),
      more: Math.max(0, readers.length - READERS_SHOWN),
    };
  }
  const { email, accountRecords } = await members.person(signedIn.caller.user);
  return { kind: accountRecords.includes(record) ? 'member' : 'other', email };
}

/** The first rows of the page's facts: who asks, and as whom the person is signed in. */
export function requesterFacts({ name, email }: Requester, viewer: Viewer): Html {
  const whole = viewer.kind === 'member' ? email : maskedEmail(email);
  return html`<dt>${REQUESTER.asks[viewer.kind]}</dt><dd>${recordLabel({ email: whole, name })}</dd>
${viewer.kind === 'stranger' ? html`` : html`<dt>${REQUESTER.signedIn}</dt><dd>${viewer.email}</dd>`}`;
}

/** What the person should check before they continue. */
export function requesterWarning(viewer: Viewer): Html {
  switch (viewer.kind) {
    case 'member':
      return html`<p>${REQUESTER.member}</p>`;
    case 'other':
      return html`<p role="alert">${REQUESTER.other(viewer.email)}</p>`;
    case 'stranger':
      return html`<p>${REQUESTER.stranger(viewer.readers, viewer.more)}</p>`;
  }
}

/** How sharing is stopped, by a person who can sign in here or by one who may not. */
export function stopText(viewer: Viewer, elsewhere: string | null): string {
  return viewer.kind === 'member' ? REQUESTER.stop.here(elsewhere) : REQUESTER.stop.notHere(elsewhere);
}
