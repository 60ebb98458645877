import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isFreshSignIn } from '../../features/access/caller.ts';
import type { AppDecision, AppRequest } from '../../features/oauth/app-requests.ts';
import { asking } from '../../features/oauth/asking.ts';
import type { ShownConsent } from '../../features/oauth/consent-proofs.ts';
import { OAUTH_PATHS } from '../../features/oauth/oauth-resources.ts';
import type { SignedIn } from '../../features/sign-in/session-authenticator.ts';
import { type OwnerId, parsePublicId, publicId } from '../../vocabulary/ids.ts';
import { isFromElsewhere } from '../http/form-origin.ts';
import { sendOn, sendPage } from '../http/page.ts';
import { originOf, queryOf, sameAddress } from '../http/request-url.ts';
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
    forPerson(request, reply, options, async (session) => {
      const person = await inRecord(session, queryOf(request).record ?? '', options);
      if (person === null) return sendPage(reply, 404, GONE_PAGE);
      const deciding = { session, person };
      return show(request, reply, options, deciding, await ask(request, reply, options, deciding));
    }),
  );
  scope.post(path, { config }, (request: ConsentRequest, reply: FastifyReply) =>
    forPerson(request, reply, options, (session) => decide(request, reply, options, session)),
  );
}

/** Who decides, and about which account record. */
interface Deciding {
  readonly session: SignedIn;
  /** The same in the account record that the decision is about. */
  readonly person: SignedIn;
}

/**
 * The person in the account record that they chose for this request, which leaves their session where it is; without a
 * choice, in the one of the session. Null for an account record that they do not share.
 */
async function inRecord(
  person: SignedIn,
  chosen: string,
  { sessions }: RunningOAuth,
): Promise<SignedIn | null> {
  if (chosen === '') return person;
  const owner = parsePublicId('account_record', chosen);
  if (owner === null) return null;
  return owner === person.caller.accountRecord.id ? person : sessions.inRecord(person, owner);
}

/** For a signed-in person; anyone else signs in first and comes back. */
async function forPerson(
  request: ConsentRequest,
  reply: FastifyReply,
  options: RunningOAuth,
  work: (session: SignedIn) => Promise<FastifyReply>,
): Promise<FastifyReply> {
  const person = await signedIn(request, options);
  if (person === null) {
    return sendOn(reply, signInAddress(options.addresses.appUrl, pageOf(request)));
  }
  return asking.run({ user: person.caller.user, address: request.ip }, () => work(person));
}

/** The page that was asked for, or that a form was sent from, for the account record that was chosen there. */
function pageOf(request: ConsentRequest): string {
  if (!(request.body instanceof URLSearchParams)) return `${actionOf(request)}${sameAddress(request)}`;
  const owner = parsePublicId('account_record', request.body.get('record') ?? '');
  return owner === null ? actionOf(request) : recordPage(request, owner);
}

function recordPage(request: ConsentRequest, owner: OwnerId): string {
  return `${actionOf(request)}?record=${publicId('account_record', owner)}`;
}

async function ask(
  { raw: req }: ConsentRequest,
  { raw: res }: FastifyReply,
  { server }: RunningOAuth,
  { person: { caller } }: Deciding,
): Promise<AppRequest | null> {
  const { appRequests } = await server();
  return appRequests.find({ req, res }, caller);
}

async function decide(
  request: ConsentRequest,
  reply: FastifyReply,
  options: RunningOAuth,
  session: SignedIn,
): Promise<FastifyReply> {
  const form = request.body instanceof URLSearchParams ? request.body : new URLSearchParams();
  if (isFromElsewhere(request.headers, options.addresses.appUrl)) return sendPage(reply, 403, GONE_PAGE);
  const person = await inRecord(session, form.get('record') ?? '', options);
  const deciding = { session, person: person ?? session };
  // The proof holds for the account record that the page showed, so a form cannot name another.
  const proof = form.get('proof') ?? '';
  if (person === null || !options.oauth.consentProofs.holds(proof, shownTo(person, request))) {
    return show(request, reply, options, deciding, await ask(request, reply, options, deciding), 'changed');
  }
  const chosen = new Set(form.getAll('scope'));
  if (form.get('decision') === 'allow' && !isFresh(person, options)) {
    return toFreshSignIn(request, reply, options, deciding);
  }
  const exchange = { req: request.raw, res: reply.raw };
  const { appRequests } = await options.server();
  const decision =
    form.get('decision') === 'allow'
      ? await appRequests.allow(exchange, person.caller, chosen, originOf(request))
      : await appRequests.deny(exchange);
  return sendDecision(request, reply, options, deciding, decision);
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
  { session, person }: Deciding,
): FastifyReply {
  const { id } = person.caller.accountRecord;
  const page = id === session.caller.accountRecord.id ? actionOf(request) : recordPage(request, id);
  return sendOn(reply, signInAddress(appUrl, page, session));
}

async function sendDecision(
  request: ConsentRequest,
  reply: FastifyReply,
  options: RunningOAuth,
  deciding: Deciding,
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
      return show(request, reply, options, deciding, decision.request, decision.kind);
  }
}

async function show(
  request: ConsentRequest,
  reply: FastifyReply,
  options: RunningOAuth,
  deciding: Deciding,
  asked: AppRequest | null,
  notice: ConsentNotice | null = null,
): Promise<FastifyReply> {
  if (asked === null) return sendPage(reply, 404, GONE_PAGE);
  const { person } = deciding;
  const { accountRecord, user } = person.caller;
  const [{ email }, shared] = await Promise.all([
    options.members.person(user),
    options.sharedRecords.choices(user),
  ]);
  const shown = { accountRecord, email, shared };
  const form = {
    action: actionOf(request),
    proof: options.oauth.consentProofs.of(shownTo(person, request)),
  };
  if (asked.closed) return sendPage(reply, 200, closedPage(form, asked, shown));
  // Before the page rather than after Allow, where the selection would be lost.
  if (!isFresh(person, options)) return toFreshSignIn(request, reply, options, deciding);
  const status = notice === null ? 200 : NOTICE_STATUS[notice];
  return sendPage(reply, status, consentPage(form, asked, shown, notice));
}

function shownTo({ session, caller }: SignedIn, { params: { request } }: ConsentRequest): ShownConsent {
  return { request, session, caller };
}

function actionOf({ params }: ConsentRequest): string {
  return `${OAUTH_PATHS.consent}/${encodeURIComponent(params.request)}`;
}
