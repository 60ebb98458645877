import type { FastifyInstance } from 'fastify';
import type { HostedDestinationLinks } from '../../features/hosted-destination-links.ts';
import type { Log } from '../../platform/log.ts';
import { cookieOf, cookieText, isFromElsewhere } from './cookies.ts';
import { destinationInvitationPage } from './destination-pages.ts';
import { endedPage } from './link-pages.ts';
import { sendPage } from './page.ts';
import { answerFault, landingOf, type OfferOf, step, visitOf } from './steps.ts';

/** The pages of a destination link. Every vendor sends people back to the one address `/connect/return`. */
export function registerDestinationPages(
  scope: FastifyInstance,
  {
    hostedDestinationLinks: links,
    log,
  }: { readonly hostedDestinationLinks: HostedDestinationLinks; readonly log: Log },
): void {
  const again: OfferOf = ({ token }) => beginAgain(token);
  scope.setErrorHandler((error, request, reply) =>
    answerFault(error, request, reply, log, ({ token }) =>
      beginAgain(token === '' ? (links.pageOf(landingOf(request).state ?? '') ?? '') : token),
    ),
  );

  scope.get('/connect/:token', async (request, reply) => {
    const { token } = visitOf(request, reply);
    const invitation = await links.invitation(token);
    const { status, returnTo } = invitation;
    if (status === 'pending' || returnTo === null)
      return sendPage(reply, 200, destinationInvitationPage(token, invitation));
    return sendPage(reply, 200, endedPage(status, returnTo));
  });

  scope.post('/connect/:token', (request, reply) =>
    step(request, reply, log, again, async ({ token, address, signal }) => {
      // A form on somebody else's page: nobody has read ours.
      if (isFromElsewhere(request.headers)) return { kind: 'go', url: address };
      const next = await links.begin(token, signal);
      const proof = links.proofOf(token);
      if (proof !== null) reply.header('set-cookie', cookieText(proof));
      return next;
    }),
  );

  scope.post('/connect/:token/cancel', (request, reply) =>
    step(request, reply, log, again, ({ token }) => links.cancel(token)),
  );

  scope.get('/connect/return', (request, reply) => {
    const { state = '', ...query } = landingOf(request);
    // What came back counts once: after a failure the person signs in again.
    const offer: OfferOf = () => beginAgain(links.pageOf(state) ?? '');
    return step(request, reply, log, offer, () =>
      links.land(state, query, (name) => cookieOf(request.headers.cookie, name)),
    );
  });
}

const beginAgain = (token: string) =>
  ({ method: 'post', address: `/connect/${token}`, cancel: `/connect/${token}/cancel` }) as const;
