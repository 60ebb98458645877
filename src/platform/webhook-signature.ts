import { createHmac, randomBytes } from 'node:crypto';

const SECRET_PREFIX = 'whsec_';
/** Standard Webhooks asks for 24 to 64 random bytes. */
const SECRET_BYTES = 32;

/** How long after a rotation requests are also signed with the old secret. */
export const SECRET_OVERLAP_MS = 24 * 3_600_000;

/** A new signing secret in the form Standard Webhooks gives it: `whsec_` and base64 of random bytes. */
export function newSigningSecret(): string {
  return SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

/** What is signed: a body as it is sent, under its id, at a moment in epoch seconds. */
interface Signed {
  readonly id: string;
  readonly timestamp: number;
  readonly body: Buffer;
}

/**
 * The headers that say who sent rows to a webhook destination and when, in two schemes at once.
 *
 * `X-Service-*`: hexadecimal HMAC-SHA256 over `<timestamp>.<body>`, keyed with the text of the newest secret
 * (docs/webhooks.md#the-request); and the headers of Standard Webhooks.
 *
 * @param secrets newest first, at least one
 * @param timestamp epoch seconds of this attempt
 */
export function signatureHeaders(
  secrets: readonly string[],
  id: string,
  timestamp: number,
  body: Buffer,
): Record<string, string> {
  const [newest = ''] = secrets;
  return {
    'x-service-signature': `sha256=${timedSignature(newest, timestamp, body)}`,
    'x-service-timestamp': String(timestamp),
    'x-service-delivery-id': id,
    ...standardHeaders(secrets, { id, timestamp, body }),
  };
}

/**
 * The headers that say who sent an event to an event destination and when, in two schemes at once.
 *
 * `Service-Signature: t=<timestamp>,v1=<hex>`: the same hexadecimal HMAC, one `v1` for every valid secret
 * (docs/events.md#signatures); and the headers of Standard Webhooks.
 *
 * @param secrets newest first, at least one
 * @param timestamp epoch seconds of this attempt
 */
export function eventSignatureHeaders(
  secrets: readonly string[],
  id: string,
  timestamp: number,
  body: Buffer,
): Record<string, string> {
  const parts = secrets.map((secret) => `v1=${timedSignature(secret, timestamp, body)}`);
  return {
    'service-signature': [`t=${timestamp}`, ...parts].join(),
    ...standardHeaders(secrets, { id, timestamp, body }),
  };
}

function timedSignature(secret: string, timestamp: number, body: Buffer): string {
  return createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex');
}

/**
 * Standard Webhooks 1.0.0: base64 over `<id>.<timestamp>.<body>`, keyed with the secret's decoded bytes, one signature
 * for every valid secret, so that a receiver can rotate without a gap.
 */
function standardHeaders(
  secrets: readonly string[],
  { id, timestamp, body }: Signed,
): Record<string, string> {
  const signatures = secrets.map((secret) => {
    // Node computes an HMAC several times faster with a text key than with a buffer.
    const signature = createHmac('sha256', secret.slice(SECRET_PREFIX.length), { encoding: 'base64' });
    return `v1,${signature.update(`${id}.${timestamp}.`).update(body).digest('base64')}`;
  });
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures.join(' '),
  };
}
