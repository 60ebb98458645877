import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { HostedDestinationLinks } from '../../features/hosted-destination-links.ts';
import type { HostedLinks } from '../../features/hosted-links.ts';
import type { Log } from '../../platform/log.ts';
import { registerDestinationPages } from './destination-routes.ts';
import { endedPage, invitationPage } from './link-pages.ts';
import { sendPage } from './page.ts';
import { answerFault, landingOf, type OfferOf, step, visitOf } from './steps.ts';

export interface HostedServices {
  readonly hostedLinks: HostedLinks;
  readonly hostedDestinationLinks: HostedDestinationLinks;
  readonly log: Log;
}

const FORM_BYTES = 1024;

const again =
  (method: 'get' | 'post'): OfferOf =>
  ({ token, address }) => ({ method, address, cancel: `/link/${token}/cancel` });
const methodOf = (request: FastifyRequest) => (request.method === 'POST' ? 'post' : 'get');

/** The pages a person meets while linking a bank or a destination (SPEC, `url` of both): plain HTML, outside `/v2`. */
export function registerHostedPages(server: FastifyInstance, services: HostedServices): void {
  server.register(async (scope) => {
    acceptEmptyForms(scope);
    registerBankPages(scope, services);
  });
  server.register(async (scope) => {
    acceptEmptyForms(scope);
    registerDestinationPages(scope, services);
  });
}

/** The buttons carry no fields: everything the service needs is in the address. */
function acceptEmptyForms(scope: FastifyInstance): void {
  scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: FORM_BYTES }, (_request, _body, done) =>
    done(null),
  );
}

function registerBankPages(scope: FastifyInstance, { hostedLinks, log }: HostedServices): void {
  scope.setErrorHandler((error, request, reply) =>
    answerFault(error, request, reply, log, again(methodOf(request))),
  );

  scope.get('/link/:token', async (request, reply) => {
    const { token } = visitOf(request, reply);
    const invitation = await hostedLinks.invitation(token);
    const { status, returnTo } = invitation;
    if (status === 'pending' || returnTo === null)
      return sendPage(reply, 200, invitationPage(token, invitation));
    return sendPage(reply, 200, endedPage(status, returnTo));
  });

  scope.post('/link/:token', (request, reply) =>
    step(request, reply, log, again('post'), ({ token, signal }) => hostedLinks.begin(token, signal)),
  );

  scope.post('/link/:token/cancel', (request, reply) =>
    step(request, reply, log, again('post'), ({ token }) => hostedLinks.cancel(token)),
  );

  scope.get('/link/:token/return', (request, reply) =>
    step(request, reply, log, again('get'), ({ token, signal }) =>
      hostedLinks.land(token, 'success', landingOf(request), signal),
    ),
  );

  scope.get('/link/:token/return/failed', (request, reply) =>
    step(request, reply, log, again('get'), ({ token, signal }) =>
      hostedLinks.land(token, 'failure', landingOf(request), signal),
    ),
  );
}
