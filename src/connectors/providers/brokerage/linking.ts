import { idText, isWireObject, malformed, parseExact, text, type WireObject } from '../kit/json.ts';
import type {
  BeginLink,
  BegunLink,
  CompleteLink,
  LinkFailureReason,
  LinkOutcome,
} from '../provider-contract.ts';
import type { BrokerageClient } from './client.ts';
import { brokerRows, connectionRows } from './connections.ts';
import { agreement, connectionId, isDisabled, isSignedIn, mapGrant } from './map-connection.ts';

/** How long the vendor's page may be opened. */
const PAGE_MS = 5 * 60_000;
/** A person has only a few brokers. */
const MOST_BEFORE = 200;

/**
 * Opens the vendor's page, for reading only. It has no `state` parameter: ours is in the address it sends people back
 * to.
 */
export async function beginLink(
  client: BrokerageClient,
  request: BeginLink,
  signal: AbortSignal,
): Promise<BegunLink> {
  const broker = request.renew === null ? await slugOf(client, request.institution, signal) : null;
  const before = client.personal ? await connectionRows(client, request, signal) : [];
  const back = new URL(request.redirectUri);
  back.searchParams.set('state', request.state);
  const openedAt = client.clock.now();
  const body = {
    customRedirect: back.href,
    immediateRedirect: true,
    connectionType: 'read',
    connectionPortalVersion: 'v4',
    ...(broker === null ? {} : { broker }),
    ...(request.renew === null ? {} : { reconnect: request.renew.consent }),
  };
  const call = { method: 'POST', path: '/snapTrade/login', body } as const;
  const answer = parseExact(await client.user(request, call, signal));
  const url = isWireObject(answer) ? (text(answer, 'redirectURI') ?? '') : '';
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? '')) throw malformed('it opens no page');
  return { url, memo: memoOf(before), expiresAt: openedAt + PAGE_MS };
}

/** The vendor's page is opened at a broker by its slug, which may change; its id, by which we know it, does not. */
async function slugOf(
  client: BrokerageClient,
  institution: string | null,
  signal: AbortSignal,
): Promise<string | null> {
  if (institution === null) return null;
  const broker = (await brokerRows(client, signal)).find((row) => idText(row, 'id') === institution);
  return broker === undefined ? null : idText(broker, 'slug');
}

/**
 * The outcome of a link. The callback is untrusted: it only decides why a link failed and which connection comes first.
 * What was linked is read from the vendor. A user is created for each link, so its connections are those of the link; a
 * renewal is recognised by a connection that works. With a personal key all links share one user: there, only
 * connections that the person signed in to since the link began belong to it.
 */
export async function completeLink(
  client: BrokerageClient,
  request: CompleteLink,
  signal: AbortSignal,
): Promise<LinkOutcome> {
  const reason = failureReason(request.query);
  if (reason !== null) return { kind: 'failed', reason };
  const rows = await connectionRows(client, request, signal);
  const [first, ...rest] = inOrder(rows.filter(brought(client, request)), request);
  // The person returned before the broker was done.
  if (first === undefined) return { kind: 'pending' };
  return {
    kind: 'linked',
    // A personal key has one user at the vendor, however often its owner links.
    customer: client.personal ? { id: client.clientId, secret: null } : null,
    grants: [mapGrant(first), ...rest.map(mapGrant)],
  };
}

function brought(client: BrokerageClient, request: CompleteLink): (row: WireObject) => boolean {
  const { renew, memo, query } = request;
  if (renew !== null) return (row) => connectionId(row) === renew.consent && !isDisabled(row);
  if (!client.personal) return () => true;
  const before = new Map(Object.entries(agreementsIn(memo)));
  return (row) => {
    const id = connectionId(row) ?? '';
    return isSignedIn(row, before.get(id) ?? null, query.connection_id === id);
  };
}

function inOrder(rows: readonly WireObject[], { query }: CompleteLink): WireObject[] {
  const isNamed = (row: WireObject) => connectionId(row) === query.connection_id;
  return [...rows.filter(isNamed), ...rows.filter((row) => !isNamed(row))];
}

/** Which connections existed before, and their states. */
function memoOf(rows: readonly WireObject[]): string {
  const states = rows.slice(0, MOST_BEFORE).map((row) => [connectionId(row) ?? '', agreement(row)] as const);
  return states.length === 0 ? '' : JSON.stringify(Object.fromEntries(states));
}

function agreementsIn(memo: string): WireObject {
  const parsed = memo === '' ? {} : parseExact(memo);
  return isWireObject(parsed) ? parsed : {};
}

/** Codes with which the vendor's page sends people back. */
const REASONS: ReadonlyMap<string, LinkFailureReason> = new Map([
  ['1006', 'session_expired'],
  ['1023', 'not_eligible'],
  ['1066', 'authentication_failed'],
  ['1086', 'authentication_failed'],
  ['1140', 'not_eligible'],
  ['3000', 'institution_error'],
]);

/** Why a link failed, from the query that the person returned with, which is only compared; null if it did not fail. */
export function failureReason(query: Readonly<Record<string, string>>): LinkFailureReason | null {
  switch (query.status) {
    case 'ABANDONED':
      return 'cancelled';
    case 'ERROR':
      return REASONS.get(query.error_code ?? '') ?? 'unknown';
    default:
      return query.error === undefined ? null : 'consent_denied';
  }
}
