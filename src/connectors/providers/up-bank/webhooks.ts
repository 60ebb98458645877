import { createHmac } from 'node:crypto';
import { sameBytes } from '../../../platform/keyed-mac.ts';
import { inner, notifiedObject, text } from '../kit/json.ts';
import type { ProviderSignal, ProviderWebhook } from '../provider-contract.ts';
import { attributesOf } from './resource.ts';

const SIGNATURE = 'x-up-authenticity-signature';
/** Events that change the rows of an account. A ping means nothing, and neither do future events. */
const ABOUT_ROWS: ReadonlySet<string> = new Set([
  'TRANSACTION_CREATED',
  'TRANSACTION_SETTLED',
  'TRANSACTION_DELETED',
]);

/** Whether the body was signed with the webhook's secret key: HMAC-SHA256 over its bytes, compared in constant time. */
export function isAuthentic({ body, headers }: ProviderWebhook, secret: string): boolean {
  const sent = headers[SIGNATURE] ?? '';
  if (!/^[0-9a-f]{64}$/i.test(sent)) return false;
  return sameBytes(Buffer.from(sent, 'hex'), createHmac('sha256', secret).update(body).digest());
}

/** What an event says about rows: its id at Up, the same in each repetition. */
export interface RowsEvent {
  readonly id: string | null;
}

/**
 * The event if it is about rows, or null. Its age does not matter: a retry may come days late, and a repeated event
 * only causes another check of the same data.
 */
export function rowsEvent(body: Uint8Array, limits: Parameters<typeof notifiedObject>[1]): RowsEvent | null {
  const document = notifiedObject(body, limits);
  const event = document === null ? null : inner(document, 'data');
  const type = event === null ? null : text(attributesOf(event), 'eventType');
  return event !== null && type !== null && ABOUT_ROWS.has(type) ? { id: text(event, 'id') } : null;
}

/** An event names a row and not its account, so it is about the consent. */
export function signalOf({ id }: RowsEvent, consent: string): ProviderSignal {
  const signal = { about: { kind: 'consent', id: consent }, what: 'data_changed' } as const;
  return id === null ? signal : { ...signal, notification: id };
}
