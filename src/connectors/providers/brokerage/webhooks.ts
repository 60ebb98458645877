import type { Clock } from '../../../platform/clock.ts';
import { brokenBound } from '../../../platform/json-bounds.ts';
import { sameBytes } from '../../../platform/keyed-mac.ts';
import { parseInstant } from '../../../vocabulary/moments.ts';
import { isWireObject, parseExact, parseWritten, text, type WireObject } from '../kit/json.ts';
import type { ProviderSignal, ProviderWebhook } from '../provider-contract.ts';
import { notificationSignatures } from './signature.ts';

/** How far the vendor's clock may be ahead of ours, and how old a notification without an id may be. */
const FIVE_MINUTES_MS = 5 * 60_000;
/**
 * How old one with an id may be. The vendor repeats it three times within hours, and does not say whether its time is
 * then updated. The id of one that was acted on is remembered for days, so that it cannot be replayed.
 */
const OLDEST_REPEATED_MS = 6 * 3_600_000;
/** Well above the largest notification. Anyone can send here, and what is signed is only known after parsing. */
const MOST_BYTES = 16 * 1024;
const BOUNDS = { depth: 32, values: 500 } as const;
/** 32 bytes in base64. */
const SIGNATURE = /^[A-Za-z0-9+/]{43}=$/;

type News = readonly [kind: ProviderSignal['about']['kind'], member: string, what: ProviderSignal['what']];

const CONNECTION = ['consent', 'brokerageAuthorizationId'] as const;
const ACCOUNT = ['account', 'accountId'] as const;

/** The vendor's notifications and their members. Other events mean nothing to us. */
const NEWS: ReadonlyMap<string, News> = new Map<string, News>([
  ['CONNECTION_BROKEN', [...CONNECTION, 'login_lost']],
  ['CONNECTION_FIXED', [...CONNECTION, 'login_works']],
  ['CONNECTION_DELETED', [...CONNECTION, 'ended']],
  ['CONNECTION_UPDATED', [...CONNECTION, 'accounts_changed']],
  ['NEW_ACCOUNT_AVAILABLE', [...CONNECTION, 'accounts_changed']],
  ['ACCOUNT_REMOVED', [...CONNECTION, 'accounts_changed']],
  ['ACCOUNT_TRANSACTIONS_INITIAL_UPDATE', [...ACCOUNT, 'data_changed']],
  ['ACCOUNT_TRANSACTIONS_UPDATED', [...ACCOUNT, 'data_changed']],
  ['ACCOUNT_HOLDINGS_UPDATED', [...ACCOUNT, 'data_changed']],
  ['TRADE_DETECTION', [...ACCOUNT, 'data_changed']],
  ['USER_DELETED', ['customer', 'userId', 'ended']],
]);

/**
 * What a notification says; null if it is not from the vendor, too old or in the future. The vendor signs the canonical
 * JSON of the body, not its bytes, so a body that is too much work to parse is refused unread.
 */
export function readNotification(
  { body, headers }: ProviderWebhook,
  consumerKey: string,
  clock: Clock,
): readonly ProviderSignal[] | null {
  const signature = headers.signature ?? '';
  if (!SIGNATURE.test(signature) || body.length > MOST_BYTES || brokenBound(body, BOUNDS) !== null)
    return null;
  const event = signedEvent(body, signature, consumerKey);
  if (event === null) return null;
  const notification = text(event, 'webhookId');
  const at = parseInstant(text(event, 'eventTimestamp') ?? '');
  const oldest = notification === null ? FIVE_MINUTES_MS : OLDEST_REPEATED_MS;
  const age = at === null ? Number.POSITIVE_INFINITY : clock.now() - at;
  if (age > oldest || age < -FIVE_MINUTES_MS) return null;
  const news = NEWS.get(text(event, 'eventType') ?? '');
  if (news === undefined) return [];
  const [kind, member, what] = news;
  const id = text(event, member);
  return id === null ? [] : [{ about: { kind, id }, what, ...(notification !== null && { notification }) }];
}

function signedEvent(body: Uint8Array, signature: string, consumerKey: string): WireObject | null {
  try {
    const sent = new TextDecoder('utf-8', { fatal: true }).decode(body);
    if (!isSigned(parseWritten(sent), signature, consumerKey)) return null;
    const event = parseExact(sent);
    return isWireObject(event) ? event : null;
  } catch {
    return null;
  }
}

function isSigned(event: unknown, signature: string, consumerKey: string): boolean {
  const given = Buffer.from(signature);
  return notificationSignatures(event, consumerKey).some((expected) =>
    sameBytes(Buffer.from(expected), given),
  );
}
