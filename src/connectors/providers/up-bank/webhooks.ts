import { createHmac, timingSafeEqual } from 'node:crypto';
import { isWireObject, parsePlain } from '../kit/json.ts';
import { inner, text } from '../kit/members.ts';
import type { ProviderSignal, ProviderWebhook } from '../provider-contract.ts';
import { attributesOf } from './resource.ts';

const SIGNATURE = 'x-up-authenticity-signature';
/** What changes the rows of an account. A ping says nothing, and neither does an event yet to come. */
const ABOUT_ROWS: ReadonlySet<string> = new Set([
  'TRANSACTION_CREATED',
  'TRANSACTION_SETTLED',
  'TRANSACTION_DELETED',
]);

/** Whether the body was signed with the webhook's secret key: HMAC-SHA256 over its bytes, compared in constant time. */
export function isAuthentic({ body, headers }: ProviderWebhook, secret: string): boolean {
  const sent = headers[SIGNATURE] ?? '';
  if (!/^[0-9a-f]{64}$/i.test(sent)) return false;
  return timingSafeEqual(Buffer.from(sent, 'hex'), createHmac('sha256', secret).update(body).digest());
}

/**
 * What an event says. It names a row and not its account, so it is about the consent. How old it is does not matter: a
 * retry may come days late, and an event that is sent again only has the same place looked at. Raises UpstreamFailure
 * for a body that is no JSON.
 */
export function signalsOf(body: Uint8Array, consent: string): readonly ProviderSignal[] {
  const document = parsePlain(Buffer.from(body).toString('utf8'));
  const event = isWireObject(document) ? inner(document, 'data') : null;
  const type = event === null ? null : text(attributesOf(event), 'eventType');
  if (type === null || !ABOUT_ROWS.has(type)) return [];
  return [{ about: { kind: 'consent', id: consent }, what: 'data_changed' }];
}
