import { createHmac } from 'node:crypto';
import { isWireObject } from '../kit/json.ts';

/** What the vendor has us sign of a request. */
export interface SignedRequest {
  /** The path as it is sent. */
  readonly path: string;
  /** The query as it is sent, without `?`. */
  readonly query: string;
  /** The body; null where there is none. */
  readonly body: object | null;
}

/** The `Signature` header of a request: HMAC-SHA256 over its canonical JSON, in base64. */
export function requestSignature({ path, query, body }: SignedRequest, consumerKey: string): string {
  const content = body === null || Object.keys(body).length === 0 ? null : body;
  return hmac(canonicalJson({ content, path, query }), encodeURI(consumerKey));
}

/** The `Signature` headers a notification may carry: the vendor's own samples differ in how they write other letters. */
export function notificationSignatures(body: unknown, consumerKey: string): readonly string[] {
  const json = canonicalJson(body);
  return [json, escapedToAscii(json)].map((text) => hmac(text, consumerKey));
}

/** JSON without spaces, the members of every object in the order of their names. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(sorted(value));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isWireObject(value)) return value;
  // Without a prototype, so that a member named __proto__ is one like the others.
  const copy: Record<string, unknown> = Object.create(null);
  for (const name of Object.keys(value).sort()) copy[name] = sorted(value[name]);
  return copy;
}

function escapedToAscii(json: string): string {
  return json.replace(
    /[\u0080-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function hmac(text: string, key: string): string {
  return createHmac('sha256', key).update(text).digest('base64');
}
