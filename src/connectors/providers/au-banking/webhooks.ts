import { createHmac } from 'node:crypto';
import { sameBytes } from '../../../platform/keyed-mac.ts';
import type { Limits } from '../../../vocabulary/limits.ts';
import { parseInstant } from '../../../vocabulary/moments.ts';
import { idText, inner, notifiedObject, text, type WireObject } from '../kit/json.ts';
import type { ProviderSignal, ProviderWebhook } from '../provider-contract.ts';

const SIGNATURE = 'x-fiskil-signature';
/** 32 bytes in base64. Node skips invalid base64 and stops at padding. */
const SIGNATURE_TEXT = /^[\w+/-]{43}=?$/;
/** The vendor tries five times, ten minutes apart at most; the time of publication may be that of the first attempt. */
const OLDEST_MS = 60 * 60_000;
/** How far its clock may be ahead of ours. */
const AHEAD_MS = 5 * 60_000;

/**
 * What an event is about. Those of payees and the like are left out, since they are not read. The content of a
 * consent's event is not trusted: the consent is read from the vendor.
 */
const MEANINGS: ReadonlyMap<string, ProviderSignal['what']> = new Map([
  ['consent.received', 'login_works'],
  ['consent.updated', 'login_works'],
  ['consent.revoked', 'ended'],
  ['banking.accounts.sync.completed', 'accounts_changed'],
  ['banking.balances.sync.completed', 'data_changed'],
  ['banking.transactions.basic.sync.completed', 'data_changed'],
  ['banking.transactions.recent.sync.completed', 'data_changed'],
  ['banking.transactions.sync.completed', 'data_changed'],
]);

/** What is needed to verify that a notification is from the vendor. */
export interface WebhookCheck {
  /** As shown in the vendor's console: base64. */
  readonly secret: string;
  /** Epoch ms. */
  readonly now: number;
  readonly limits: Pick<Limits, 'answer_depth' | 'answer_values'>;
}

/** What a notification says; null if its signature is invalid, or it is not from the last hour. */
export function readWebhook(
  { body, headers }: ProviderWebhook,
  check: WebhookCheck,
): readonly ProviderSignal[] | null {
  if (!isSigned(body, headers[SIGNATURE] ?? '', check.secret)) return null;
  const message = notifiedObject(body, check.limits);
  if (message === null || !isRecent(message, check.now)) return null;
  const data = inner(message, 'data');
  const what = data === null ? undefined : MEANINGS.get(text(data, 'event') ?? '');
  const about = data === null ? null : subjectOf(data);
  if (what === undefined || about === null) return [];
  const id = idText(message, 'message_id');
  return [{ about, what, ...(id !== null && { notification: id }) }];
}

function isSigned(body: Uint8Array, signature: string, secret: string): boolean {
  if (!SIGNATURE_TEXT.test(signature)) return false;
  const expected = createHmac('sha256', Buffer.from(secret, 'base64')).update(body).digest();
  return sameBytes(Buffer.from(signature, 'base64'), expected);
}

/** The vendor's own text may be an instant or, as in other places of its interface, Unix seconds. */
function isRecent(message: WireObject, now: number): boolean {
  const sent = text(message, 'publish_time') ?? '';
  const at = /^\d{1,11}$/.test(sent) ? Number(sent) * 1000 : parseInstant(sent);
  return at !== null && at > now - OLDEST_MS && at < now + AHEAD_MS;
}

/** The consent; if none is named, everything of the end user, who belongs to one link. */
function subjectOf(data: WireObject): ProviderSignal['about'] | null {
  const consent = idText(data, 'consent_id');
  if (consent !== null) return { kind: 'consent', id: consent };
  const customer = idText(data, 'end_user_id');
  return customer === null ? null : { kind: 'customer', id: customer };
}
