import { createHmac, randomBytes } from 'node:crypto';

const SECRET_PREFIX = 'whsec_';
/** Standard Webhooks asks for 24 to 64 random bytes. */
const SECRET_BYTES = 32;

/** A new signing secret in the form Standard Webhooks gives it: `whsec_` and base64 of random bytes. */
export function newSigningSecret(): string {
  return SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

/**
 * The headers that say who sent the body and when, in two schemes at once.
 *
 * `X-Service-*`: hexadecimal HMAC-SHA256 over `<timestamp>.<body>`, keyed with the newest secret's text as it stands
 * (docs/webhooks.md#the-request). `webhook-*`: Standard Webhooks 1.0.0, base64 over `<id>.<timestamp>.<body>`, keyed
 * with the secret's decoded bytes, one signature for every secret that counts, so that a receiver can rotate without a
 * gap.
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
  const time = String(timestamp);
  const [newest = ''] = secrets;
  const hex = createHmac('sha256', newest).update(`${time}.`).update(body).digest('hex');
  const signed = `${id}.${time}.`;
  const signatures = secrets.map(
    (secret) => `v1,${createHmac('sha256', keyOf(secret)).update(signed).update(body).digest('base64')}`,
  );
  return {
    'x-service-signature': `sha256=${hex}`,
    'x-service-timestamp': time,
    'x-service-delivery-id': id,
    'webhook-id': id,
    'webhook-timestamp': time,
    'webhook-signature': signatures.join(' '),
  };
}

function keyOf(secret: string): Buffer {
  return Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
}
