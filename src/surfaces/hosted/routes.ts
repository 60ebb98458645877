import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { HostedDestinationLinks } from '../../features/destinations/hosted-destination-links.ts';
import type { HostedLinks } from '../../features/linking/hosted-links.ts';
import type { LinkFlow, LinkNotice, LinkRow } from '../../features/linking/link-flow.ts';
import type { LinkNoun } from '../../features/linking/link-tokens.ts';
import type { RateLimits } from '../../features/rate-limits/rate-limits.ts';
import { cookieOf } from '../../platform/cookies.ts';
import type { Log } from '../../platform/log.ts';
import type { Metrics } from '../../platform/metrics.ts';
import { ENTERED_PROBLEMS, MOST_ENTERED_CHARACTERS } from '../../vocabulary/entered-values.ts';
import { RETURN_PATH } from '../../vocabulary/page-paths.ts';
import type { LinkSessionStatus } from '../../vocabulary/states.ts';
import type { FailedRequests } from '../http/failed-requests.ts';
import { isFromElsewhere } from '../http/form-origin.ts';
import { observedAs } from '../http/observed-as.ts';
import { type PageContent, sendOn, sendPage } from '../http/page.ts';
import { queryOf, sameAddress } from '../http/request-url.ts';
import type { Surface, Surfaces } from '../http/surfaces.ts';
import {
  CHOICE_FIELD,
  destinationInvitationPage,
  ENTRY_FIELD,
  endedPage,
  invitationPage,
  otherBankPage,
  type RetryOffer,
  UNKNOWN_PAGE,
  waitingPage,
} from './link-pages.ts';
import { answerFault, step, tokenOf } from './steps.ts';
import { type ViewerServices, viewerOf } from './viewer.ts';

export interface HostedServices extends ViewerServices {
  readonly hostedLinks: HostedLinks;
  readonly hostedDestinationLinks: HostedDestinationLinks;
  readonly rateLimits: Pick<RateLimits, 'hosted'>;
  readonly publicUrl: string;
  readonly log: Log;
  readonly metrics: Pick<Metrics, 'httpRequest'>;
  readonly failures: FailedRequests;
}

/** The pages of one kind of link. */
interface Pages<N extends LinkNoun, Row extends LinkRow<N>> {
  readonly path: 'link' | 'connect';
  readonly flow: LinkFlow<N, Row>;
  /** `address`: the path of the page. */
  invite(
    token: string,
    address: string,
    notice: LinkNotice | null,
    request: FastifyRequest,
  ): Promise<Invited>;
}

interface Invited {
  readonly status: LinkSessionStatus;
  readonly returnTo: string | null;
  readonly page: PageContent;
  /** What is shown before the person returns; null if nothing is. Where it is `return`, they know it already. */
  readonly ending?: PageContent | 'return' | null;
}

/** A form has one field at most, of `MOST_ENTERED_CHARACTERS`, some of which are written as three. */
const FORM_BYTES = 8192;
const NOTICES: ReadonlySet<string> = new Set<LinkNotice>([
  'other_browser',
  'replaced',
  'nothing',
  ...ENTERED_PROBLEMS,
]);

/**
 * The pages that a person sees while linking a bank or a destination (their `url`): plain HTML, outside `/v2`. Every
 * vendor sends people back to the one address `/connect/return`.
 */
export function registerHostedPages(
  server: FastifyInstance,
  surfaces: Surfaces,
  services: HostedServices,
): void {
  const { hostedLinks: banks, hostedDestinationLinks: destinations, rateLimits, publicUrl } = services;
  const surface: Surface = {
    prefixes: ['/link', '/connect'],
    answerMissing: (_request, reply) => sendPage(reply, 404, UNKNOWN_PAGE),
    answerError: (thrown, request, reply) => answerFault(thrown, request, reply, services),
  };
  surfaces.mount(server, surface, (scope) => {
    observedAs('link_pages', scope, services.metrics);
    // A page has one field at most. What a provider asks for is a secret, and nothing but `enteredIn` reads it.
    scope.addContentTypeParser('*', { parseAs: 'string', bodyLimit: FORM_BYTES }, (_request, body, done) => {
      const form = new URLSearchParams(String(body));
      done(null, form.get(ENTRY_FIELD) ?? form.get(CHOICE_FIELD));
    });
    const flows = [banks.flow, destinations.flow];
    scope.addHook('onRequest', async (request) => {
      const [token, { state = '' }] = [tokenOf(request), queryOf(request)];
      const opens = flows.some((flow) => (flow.linkOfPage(token) ?? flow.linkOfState(state)) !== null);
      await rateLimits.hosted.arrive(request.ip, opens ? 'link' : 'nothing');
    });
    registerLinkPages(scope, services, {
      path: 'link',
      flow: banks.flow,
      invite: async (token, address, notice, request) => {
        const invitation = await banks.invitation(token);
        const viewer = await viewerOf(request, invitation.requester, services);
        const page = invitationPage(address, invitation, viewer, notice);
        const { other, returnTo } = invitation;
        if (other === null || returnTo === null) return { ...invitation, page };
        // The web application says so itself.
        const ending = viewer.kind === 'member' ? 'return' : otherBankPage(address, other, returnTo);
        return { ...invitation, page, ending };
      },
    });
    scope.post('/link/:token/another', async (request, reply) => {
      const token = tokenOf(request);
      const link = banks.flow.linkOfPage(token);
      if (link !== null) await rateLimits.hosted.visit(link);
      const own = addressOf(publicUrl, 'link', token);
      if (isFromElsewhere(request.headers, publicUrl)) return sendOn(reply, own);
      const offer = { method: 'post', address: `${own}/another`, cancel: `${own}/cancel` } as const;
      return step(
        request,
        reply,
        services,
        () => offer,
        async () => ({ kind: 'go', url: await banks.another(token) }),
      );
    });
    registerLinkPages(scope, services, {
      path: 'connect',
      flow: destinations.flow,
      invite: async (token, address, notice, request) => {
        const invitation = await destinations.invitation(token);
        const viewer = await viewerOf(request, invitation.requester, services);
        return { ...invitation, page: destinationInvitationPage(address, invitation, viewer, notice) };
      },
    });
    scope.get(RETURN_PATH, async (request, reply) => {
      const { state = '' } = queryOf(request);
      // A code is redeemed once, so that visit must be by a person who sees the response, not a prefetch by a program.
      if (request.method === 'HEAD') {
        const opens = flows.some((flow) => flow.linkOfState(state) !== null);
        return opens
          ? sendPage(reply, 200, waitingPage(sameAddress(request)))
          : sendPage(reply, 404, UNKNOWN_PAGE);
      }
      return banks.flow.linkOfState(state) === null
        ? handleCallback(request, reply, services, 'connect', destinations.flow)
        : handleCallback(request, reply, services, 'link', banks.flow);
    });
  });
}

function registerLinkPages<N extends LinkNoun, Row extends LinkRow<N>>(
  scope: FastifyInstance,
  services: HostedServices,
  { path, flow, invite }: Pages<N, Row>,
): void {
  const { rateLimits, publicUrl } = services;
  const visited = async (request: FastifyRequest): Promise<string> => {
    const token = tokenOf(request);
    const link = flow.linkOfPage(token);
    if (link !== null) await rateLimits.hosted.visit(link);
    return token;
  };
  const button = (step_: (token: string, request: FastifyRequest) => ReturnType<typeof flow.begin>) => {
    return async (request: FastifyRequest, reply: FastifyReply) => {
      const token = await visited(request);
      const own = addressOf(publicUrl, path, token);
      // A form on another site's page, so the person has not seen ours.
      if (isFromElsewhere(request.headers, publicUrl)) return sendOn(reply, own);
      return step(
        request,
        reply,
        services,
        () => beginAgain(own),
        () => step_(token, request),
      );
    };
  };

  scope.get(`/${path}/:token`, async (request, reply) => {
    const token = await visited(request);
    const { notice = '' } = queryOf(request);
    const {
      status,
      returnTo,
      page,
      ending = null,
    } = await invite(token, addressOf(publicUrl, path, token), isNotice(notice) ? notice : null, request);
    if (status === 'pending' || returnTo === null) return sendPage(reply, 200, page);
    if (ending === 'return') return sendOn(reply, returnTo);
    return sendPage(reply, 200, ending ?? endedPage(status, returnTo));
  });
  scope.post(
    `/${path}/:token`,
    button((token, request) => flow.begin(token, enteredIn(request))),
  );
  scope.post(
    `/${path}/:token/again`,
    button((token, request) =>
      flow.beginAnew(token, Number(queryOf(request).after ?? Number.NaN), enteredIn(request)),
    ),
  );
  scope.post(
    `/${path}/:token/cancel`,
    button(async (token) => ({ ...(await flow.cancel(token)), proof: null })),
  );
}

async function handleCallback<N extends LinkNoun, Row extends LinkRow<N>>(
  request: FastifyRequest,
  reply: FastifyReply,
  services: HostedServices,
  path: 'link' | 'connect',
  flow: LinkFlow<N, Row>,
): Promise<FastifyReply> {
  const { rateLimits, publicUrl } = services;
  const { state = '', ...query } = queryOf(request);
  const link = flow.linkOfState(state);
  if (link !== null) await rateLimits.hosted.visit(link);
  const offer = async (): Promise<RetryOffer> => {
    const { again, page } = await flow.afterFailure(state);
    const offered = beginAgain(addressOf(publicUrl, path, page));
    return again ? { method: 'get', address: sameAddress(request), cancel: offered.cancel } : offered;
  };
  return step(request, reply, services, offer, () =>
    flow.handleCallback(state, query, (name) => cookieOf(request.headers.cookie, name)),
  );
}

/** The path of a link's page as browsers reach it, since `PUBLIC_URL` may have its own path. */
function addressOf(publicUrl: string, path: 'link' | 'connect', token: string): string {
  return `${new URL(publicUrl).pathname.replace(/\/$/, '')}/${path}/${token}`;
}

const beginAgain = (address: string): RetryOffer => ({
  method: 'post',
  address,
  cancel: `${address}/cancel`,
});

/** What the person entered or chose; null for nothing, and for something longer than any value. */
function enteredIn({ body }: FastifyRequest): string | null {
  const entered = typeof body === 'string' ? body.trim() : '';
  return entered === '' || entered.length > MOST_ENTERED_CHARACTERS ? null : entered;
}

function isNotice(text: string): text is LinkNotice {
  return NOTICES.has(text);
}
