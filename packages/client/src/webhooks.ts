import { WebhookSignatureError } from './errors.ts';

const SECRET_PREFIX = 'whsec_';
const TOLERANCE_SECONDS = 300;

/** A delivery as it arrived. */
export interface Delivery {
  /** Those of a Fetch request, of Node's `request.headers`, or any record with lower-case names. */
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The body exactly as it arrived: one that was parsed and written again has another signature. */
  readonly body: string | Uint8Array;
  /** The signing secret, `whsec_…`; several while one is being rotated. */
  readonly secret: string | readonly string[];
  /** How far from now its time may be. 300. */
  readonly toleranceSeconds?: number | undefined;
  /** Epoch milliseconds in place of the clock, for tests. */
  readonly now?: number | undefined;
}

/** A delivery whose signature is right. */
export interface VerifiedDelivery<T> {
  /** The same in each attempt: keep it, and do nothing when it comes again. */
  readonly id: string;
  readonly sentAt: Date;
  readonly payload: T;
}

/**
 * Verifies who sent a delivery of a webhook destination or an event destination, by the headers of Standard Webhooks
 * 1.0.0, and answers its payload. Raises WebhookSignatureError, and SyntaxError for a body that is not JSON.
 */
export async function verifyWebhook<T = unknown>(delivery: Delivery): Promise<VerifiedDelivery<T>> {
  const { body, secret, toleranceSeconds = TOLERANCE_SECONDS, now = Date.now() } = delivery;
  const id = header(delivery, 'webhook-id');
  const timestamp = header(delivery, 'webhook-timestamp');
  const signatures = header(delivery, 'webhook-signature').split(' ');
  if (!/^\d{1,12}$/.test(timestamp))
    throw new WebhookSignatureError('webhook-timestamp is not in Unix seconds');
  const seconds = Number(timestamp);
  if (Math.abs(now / 1000 - seconds) > toleranceSeconds)
    throw new WebhookSignatureError(`webhook-timestamp is more than ${toleranceSeconds} seconds from now`);
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  const signed = joined(new TextEncoder().encode(`${id}.${timestamp}.`), bytes);
  const secrets = typeof secret === 'string' ? [secret] : secret;
  for (const one of secrets) {
    const key = await crypto.subtle.importKey('raw', keyIn(one), HMAC, false, ['verify']);
    for (const signature of signatures) {
      const [version, text = ''] = signature.split(',');
      if (version !== 'v1') continue;
      const given = bytesIn(text);
      if (given !== null && (await crypto.subtle.verify('HMAC', key, given, signed)))
        return { id, sentAt: new Date(seconds * 1000), payload: JSON.parse(new TextDecoder().decode(bytes)) };
    }
  }
  throw new WebhookSignatureError('no signature of the delivery matches');
}

const HMAC = { name: 'HMAC', hash: 'SHA-256' };

function header({ headers }: Delivery, name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : headers[name];
  if (typeof value === 'string' && value !== '') return value;
  throw new WebhookSignatureError(`the delivery has no ${name}`);
}

function keyIn(secret: string): Uint8Array<ArrayBuffer> {
  const key = bytesIn(secret.startsWith(SECRET_PREFIX) ? secret.slice(SECRET_PREFIX.length) : secret);
  if (key === null || key.length === 0) throw new TypeError('secret is not a signing secret, whsec_…');
  return key;
}

function bytesIn(base64: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(first.length + second.length);
  bytes.set(first);
  bytes.set(second, first.length);
  return bytes;
}
