import { createHmac } from 'node:crypto';
import { isWireObject, NumberText } from '../kit/json.ts';

/** The parts of a request that the vendor requires us to sign. */
export interface SignedRequest {
  /** The path as sent. */
  readonly path: string;
  /** The query as sent, without `?`. */
  readonly query: string;
  /** The body; null if there is none. */
  readonly body: object | null;
}

/** The `Signature` header of a request: HMAC-SHA256 over its canonical JSON, in base64. */
export function requestSignature({ path, query, body }: SignedRequest, consumerKey: string): string {
  const content = body === null || Object.keys(body).length === 0 ? null : body;
  return hmac(canonicalJson({ content, path, query }), encodeURI(consumerKey));
}

/**
 * The `Signature` headers a notification may carry: the vendor's own samples differ in how they encode non-ASCII
 * letters.
 */
export function notificationSignatures(body: unknown, consumerKey: string): readonly string[] {
  const json = canonicalJson(body);
  return [json, escapedToAscii(json)].map((text) => hmac(text, consumerKey));
}

/**
 * JSON without spaces, the members of every object in the order of their names; a NumberText as it was sent. Recursive,
 * so the depth of the value has to be bounded.
 */
export function canonicalJson(value: unknown): string {
  if (value instanceof NumberText) return value.source;
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (!isWireObject(value)) return JSON.stringify(value ?? null);
  const members = Object.keys(value)
    .filter((name) => value[name] !== undefined)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${canonicalJson(value[name])}`);
  return `{${members.join(',')}}`;
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
