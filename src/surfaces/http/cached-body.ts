import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { weightsOf } from './header-values.ts';

/** A body that is the same for everyone, written once. */
export interface CachedBody {
  readonly etag: string;
  readonly type: string;
  readonly body: string | Buffer;
  /** Its address changes with its bytes, so a browser that has it never asks again. */
  readonly immutable?: boolean;
  /** The request header by which there are several of it, beside the one for encodings. */
  readonly varies?: 'cookie';
}

/** By what we prefer: the smallest first. */
const ENCODINGS = ['br', 'gzip', 'identity'] as const;
type Encoding = (typeof ENCODINGS)[number];

/** Smaller bodies fit in the first packets as they are. */
const WORTH_ENCODING = 1_400;
/** To hand this much to the system takes longer than most requests take altogether. */
const LARGE = 16_384;
/** RFC 8246. */
const FOR_A_YEAR = 'public, max-age=31536000, immutable';
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };

const ENCODERS: Readonly<Record<Encoding, (bytes: Buffer) => Promise<Buffer>>> = {
  br: (bytes) => promisify(brotliCompress)(bytes, BROTLI),
  gzip: (bytes) => promisify(gzip)(bytes, { level: 9 }),
  identity: async (bytes) => bytes,
};

/** What was encoded once, for as long as the body is in use: encoding it for each request would hold up all others. */
const encoded = new WeakMap<CachedBody, Map<Encoding, Promise<Buffer>>>();

/**
 * Sends the body in the best encoding that the caller takes. Answers 304 where `If-None-Match` names this very body, in
 * whichever encoding (RFC 9110, section 13.1.2).
 */
export async function sendCached(
  request: FastifyRequest,
  reply: FastifyReply,
  cached: CachedBody,
): Promise<FastifyReply> {
  const encoding = encodingOf(request.headers['accept-encoding'], cached.body.length);
  // A strong tag stands for exact bytes, so each encoding has its own.
  const tagOf = (of: Encoding): string =>
    of === 'identity' ? cached.etag : cached.etag.replace(/"$/, `-${of}"`);
  reply
    .header('etag', tagOf(encoding))
    .header('cache-control', cached.immutable ? FOR_A_YEAR : 'public, no-cache');
  reply.header('vary', ['accept-encoding', cached.varies].filter((name) => name !== undefined).join(', '));
  const known = (request.headers['if-none-match'] ?? '')
    .split(',')
    .map((tag) => tag.trim().replace(/^W\//, ''));
  if (ENCODINGS.some((of) => known.includes(tagOf(of)))) return reply.code(304).send();
  const bytes = await encodedBody(cached, encoding);
  if (bytes.length > LARGE) await ownTurn();
  if (encoding !== 'identity') reply.header('content-encoding', encoding);
  return reply.type(cached.type).send(bytes);
}

/** A strong entity tag: a digest of the bytes. */
export function etagOf(body: string | Buffer): string {
  return `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`;
}

let turns: Promise<void> = Promise.resolve();

/** Large bodies go out one in each turn of the event loop, so that short requests need not wait for several of them. */
function ownTurn(): Promise<void> {
  turns = turns.then(() => new Promise((resolve) => setImmediate(resolve)));
  return turns;
}

function encodedBody(cached: CachedBody, encoding: Encoding): Promise<Buffer> {
  const known = encoded.get(cached) ?? new Map<Encoding, Promise<Buffer>>();
  encoded.set(cached, known);
  const made = known.get(encoding) ?? ENCODERS[encoding](Buffer.from(cached.body));
  known.set(encoding, made);
  return made;
}

/** RFC 9110, section 12.5.3, as far as it concerns what we have; `identity` for whatever it does not allow. */
function encodingOf(accepted: string | undefined, length: number): Encoding {
  if (accepted === undefined || length < WORTH_ENCODING) return 'identity';
  const weights = weightsOf(accepted);
  return ENCODINGS.find((name) => (weights.get(name) ?? 0) > 0) ?? 'identity';
}
