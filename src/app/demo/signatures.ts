import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** How far a delivery's timestamp may lie from the receiver's clock, as Standard Webhooks libraries have it. */
const TOLERANCE_SECONDS = 300;

/**
 * Why a delivery must not be trusted, or null when both its signatures hold: what docs/webhooks.md asks of a receiver,
 * written against that text and not against the code that signs.
 * @param now epoch seconds
 */
export function signatureProblem(
  headers: IncomingHttpHeaders,
  body: Buffer,
  secret: string,
  now: number,
): string | null {
  const id = single(headers['webhook-id']);
  const timestamp = single(headers['webhook-timestamp']);
  if (!/^\d{10}$/.test(timestamp) || Math.abs(now - Number(timestamp)) > TOLERANCE_SECONDS) {
    return 'the timestamp is missing or too far away';
  }
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const standard = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64');
  const given = single(headers['webhook-signature']).split(' ');
  if (!given.some((signature) => same(signature, `v1,${standard}`))) {
    return 'the Standard Webhooks signature does not match';
  }
  if (single(headers['x-service-delivery-id']) !== id) return 'the delivery id differs from webhook-id';
  const time = single(headers['x-service-timestamp']);
  if (time !== timestamp) return 'the two timestamps differ';
  const hex = createHmac('sha256', secret).update(`${time}.`).update(body).digest('hex');
  if (!same(single(headers['x-service-signature']), `sha256=${hex}`)) {
    return 'the X-Service-Signature does not match';
  }
  return null;
}

function single(value: string | string[] | undefined): string {
  return typeof value === 'string' ? value : '';
}

function same(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
