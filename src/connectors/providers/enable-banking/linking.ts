import { formatInstant } from '../../../vocabulary/moments.ts';
import { UpstreamFailure } from '../../../vocabulary/upstream-failures.ts';
import { inner, malformed, text, type WireObject } from '../kit/json.ts';
import { ErrorAnswer } from '../kit/vendor-calls.ts';
import type {
  BeginLink,
  BegunLink,
  CompleteLink,
  LinkedGrant,
  LinkFailureReason,
  LinkOutcome,
} from '../provider-contract.ts';
import type { EnableBankingClient } from './client.ts';
import { type Bank, type Banks, bankId, type ChosenWay, wayOf } from './institutions.ts';
import { consentOf, type Session, secretOf, sessionIn, sessionOf } from './sessions.ts';

/** Below a bank's longest consent: banks refuse one that ends a second too late by their own clock. */
const SPARE_MS = 60_000;

const REASONS: ReadonlyMap<string, LinkFailureReason> = new Map([
  ['access_denied', 'consent_denied'],
  ['server_error', 'institution_error'],
  ['temporarily_unavailable', 'institution_error'],
]);

/** Opens the bank's consent page, for as long a consent as the bank allows. */
export async function beginLink(
  client: EnableBankingClient,
  banks: Banks,
  { redirectUri, state, institution, renew, entered, secret }: BeginLink,
  signal: AbortSignal,
): Promise<BegunLink> {
  const id = renew?.institution ?? institution;
  if (id === null) throw new UpstreamFailure('bad_request', 'A bank has to be chosen first.');
  const bank = await banks.require(id, signal);
  const { name, country, longestConsent } = bank;
  const { psuType, method } = wayWanted(bank, entered ?? null, renew === null ? null : secret.value);
  const until = client.options.clock.now() + longestConsent * 1000 - SPARE_MS;
  const answer = await client.post(
    '/auth',
    {
      access: { valid_until: formatInstant(until), balances: true, transactions: true },
      aspsp: { name, country },
      state,
      redirect_url: redirectUri,
      psu_type: psuType,
      ...(method === null ? {} : { auth_method: method }),
    },
    signal,
  );
  const url = text(answer, 'url') ?? '';
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? '')) throw malformed('it opens no consent page');
  return { url, memo: psuType + (method === null ? '' : `:${method}`), expiresAt: null };
}

/** What the person chose; else as in the session that is renewed, and else the bank's usual way. */
function wayWanted(bank: Bank, chosen: string | null, renewed: string | null): ChosenWay {
  return (
    wayOf(bank, chosen ?? '') ??
    wayOf(bank, sessionIn(renewed)?.way ?? '') ?? { psuType: bank.psuTypes[0], method: null }
  );
}

/** The outcome of a sign-in: the session that the code opens, and with it every account that the person shares. */
export async function completeLink(
  client: EnableBankingClient,
  banks: Banks,
  request: CompleteLink,
  signal: AbortSignal,
): Promise<LinkOutcome> {
  const { error, code } = request.query;
  if (error !== undefined) return { kind: 'failed', reason: REASONS.get(error) ?? 'unknown' };
  if (code === undefined) return { kind: 'failed', reason: 'unknown' };
  const answer = await client.post('/sessions', { code }, signal);
  const session = sessionOf(answer, client.options.clock.now(), request.memo === '' ? null : request.memo);
  await request.keep?.(secretOf(session));
  if (session.accounts.length === 0) {
    // An application in restricted use sees only accounts that its owner has added in the control panel.
    await deleteSession(client, session.id, signal).catch(() => undefined);
    return { kind: 'failed', reason: 'not_eligible' };
  }
  const granted = grantOf(session, answer);
  return {
    kind: 'linked',
    customer: { id: session.id, secret: secretOf(session) },
    grants: [{ ...granted, institution: await withLogo(banks, granted.institution, signal) }],
  };
}

/** A link does not fail without it. */
async function withLogo(
  banks: Banks,
  institution: LinkedGrant['institution'],
  signal: AbortSignal,
): Promise<LinkedGrant['institution']> {
  try {
    return { ...institution, logo: (await banks.require(institution.id, signal)).logo };
  } catch (error) {
    if (error instanceof UpstreamFailure) return institution;
    throw error;
  }
}

function grantOf(session: Session, answer: WireObject): LinkedGrant {
  const bank = inner(answer, 'aspsp') ?? {};
  const name = text(bank, 'name');
  const country = text(bank, 'country');
  if (name === null || country === null) throw malformed('its session names no bank');
  const id = bankId(country, name);
  return {
    grant: { consent: session.id, institution: id },
    consent: consentOf(session, answer),
    institution: { id, name, logo: null },
  };
}

/** The session as the vendor now has it; null if it has ended and is not known any more. */
export async function readSession(
  client: EnableBankingClient,
  id: string,
  signal: AbortSignal,
): Promise<WireObject | null> {
  try {
    return await client.get(`/sessions/${encodeURIComponent(id)}`, signal);
  } catch (error) {
    if (isOver(error)) return null;
    throw error;
  }
}

/** Ends a session, and the consent at the bank with it. Succeeds if it had already ended. */
export async function deleteSession(
  client: EnableBankingClient,
  id: string,
  signal: AbortSignal,
): Promise<void> {
  try {
    await client.delete(`/sessions/${encodeURIComponent(id)}`, signal);
  } catch (error) {
    if (!isOver(error)) throw error;
  }
}

/** Whether an answer about a session says that it has ended. */
function isOver(error: unknown): boolean {
  return error instanceof ErrorAnswer && (error.situation === 'grant_rejected' || error.status === 404);
}
