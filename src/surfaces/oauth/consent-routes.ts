import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isFreshSignIn } from '../../features/access/caller.ts';
import type { AppDecision, AppRequest } from '../../features/oauth/app-requests.ts';
import { asking } from '../../features/oauth/asking.ts';
import type { ShownConsent } from '../../features/oauth/consent-proofs.ts';
import { OAUTH_PATHS } from '../../features/oauth/oauth-resources.ts';
import type { SignedIn } from '../../features/sign-in/session-authenticator.ts';
import { isFromElsewhere } from '../http/form-origin.ts';
import { sendOn, sendPage } from '../http/page.ts';
import { originOf } from '../http/request-url.ts';
import { type ConsentNotice, closedPage, consentPage, GONE_PAGE, goingPage } from './consent-page.ts';
import type { RunningOAuth } from './oauth-surface-options.ts';
import { signedIn, signInAddress } from './signed-in.ts';

const FORM_BYTES = 8_192;

const NOTICE_STATUS: Readonly<Record<ConsentNotice, number>> = {
  changed: 403,
  nothing_chosen: 422,
  full: 422,
};

type ConsentRequest = FastifyRequest<{ Params: { request: string } }>;

/** The consent page, and the person's decision. */
export function registerConsent(scope: FastifyInstance, options: RunningOAuth): void {
  const path = `${OAUTH_PATHS.consent}/:request`;
  const config = { oauth: 'consent' } as const;
  scope.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: FORM_BYTES },
    (_request, body, done) => done(null, new URLSearchParams(String(body))),
  );

  scope.get(path, { config }, (request: ConsentRequest, reply: FastifyReply) =>
    forPerson(request, reply, options, async (person) =>
      show(request, reply, options, person, await ask(request, reply, options, person)),
    ),
  );
  scope.post(path, { config }, (request: ConsentRequest, reply: FastifyReply) =>
    forPerson(request, reply, options, (person) => decide(request, reply, options, person)),
  );
}

/** For a signed-in person; anyone else signs in first and comes back. */
async function forPerson(
  request: ConsentRequest,
  reply: FastifyReply,
  options: RunningOAuth,
  work: (person: SignedIn) => Promise<FastifyReply>,
): Promise<FastifyReply> {
  const person = await signedIn(request, options);
  if (person === null) {
    return sendOn(reply, signInAddress(options.addresses.appUrl, actionOf(request)));
  }
  return asking.run({ user: person.caller.user, address: request.ip }, () => work(person));
}

async function ask(
  { raw: req }: ConsentRequest,
  { raw: res }: FastifyReply,
  { server }: RunningOAuth,
  { caller }: SignedIn,
): Promise<AppRequest | null> {
  const { appRequests } = await server();
  return appRequests.find({ req, res }, caller);
}

async function decide(
  request: ConsentRequest,
  reply: FastifyReply,
  options: RunningOAuth,
  person: SignedIn,
): Promise<FastifyReply> {
  const form = request.body instanceof URLSearchParams ? request.body : new URLSearchParams();
  if (isFromElsewhere(request.headers, options.addresses.appUrl)) return sendPage(reply, 403, GONE_PAGE);
  if (!options.oauth.consentProofs.holds(form.get('proof') ?? '', shownTo(person, request))) {
    return show(request, reply, options, person, await ask(request, reply, options, person), 'changed');
  }
  const chosen = new Set(form.getAll('scope'));
  if (form.get('decision') === 'allow' && !isFresh(person, options)) {
    return toFreshSignIn(request, reply, options);
  }
  const exchange = { req: request.raw, res: reply.raw };
  const { appRequests } = await options.server();
  const decision =
    form.get('decision') === 'allow'
      ? await appRequests.allow(exchange, person.caller, chosen, originOf(request))
      : await appRequests.deny(exchange);
  return sendDecision(request, reply, options, person, decision);
}

/**
 * A grant outlasts the session, even one that only reads, so someone at a browser left open must not be able to make
 * it.
 */
function isFresh({ began }: SignedIn, { clock, limits }: RunningOAuth): boolean {
  return isFreshSignIn(began, clock.now(), limits);
}

function toFreshSignIn(
  request: ConsentRequest,
  reply: FastifyReply,
  { addresses: { appUrl } }: RunningOAuth,
): FastifyReply {
  return sendOn(reply, `${signInAddress(appUrl, actionOf(request))}&notice=fresh`);
}

async function sendDecision(
  request: ConsentRequest,
  reply: FastifyReply,
  options: RunningOAuth,
  person: SignedIn,
  decision: AppDecision,
): Promise<FastifyReply> {
  switch (decision.kind) {
    case 'go':
      return decision.to === 'app'
        ? sendOn(reply, decision.url)
        : sendPage(reply, 200, goingPage(decision.url));
    case 'gone':
      return sendPage(reply, 404, GONE_PAGE);
    case 'nothing_chosen':
    case 'full':
      return show(request, reply, options, person, decision.request, decision.kind);
  }
}

async function show(
  request: ConsentRequest,
  reply: FastifyReply,
  options: RunningOAuth,
  person: SignedIn,
  asked: AppRequest | null,
  notice: ConsentNotice | null = null,
): Promise<FastifyReply> {
  if (asked === null) return sendPage(reply, 404, GONE_PAGE);
  const proof = options.oauth.consentProofs.of(shownTo(person, request));
  const action = actionOf(request);
  if (asked.closed) return sendPage(reply, 200, closedPage(action, proof, asked));
  // Before the page rather than after Allow, where the selection would be lost.
  if (!isFresh(person, options)) return toFreshSignIn(request, reply, options);
  const status = notice === null ? 200 : NOTICE_STATUS[notice];
  const { accountRecord, user } = person.caller;
  const { email } = await options.members.person(user);
  return sendPage(reply, status, consentPage(action, proof, asked, { accountRecord, email }, notice));
}

function shownTo({ session, caller }: SignedIn, { params: { request } }: ConsentRequest): ShownConsent {
  return { request, session, caller };
}

function actionOf({ params }: ConsentRequest): string {
  return `${OAUTH_PATHS.consent}/${encodeURIComponent(params.request)}`;
}
