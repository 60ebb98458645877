import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { weightsOf } from './header-values.ts';

/** A body that is the same for everyone, rendered once. */
export interface CachedBody {
  readonly etag: string;
  readonly type: string;
  readonly body: string | Buffer;
  /** Its URL changes with its content, so browsers need not revalidate it. */
  readonly immutable?: boolean;
  /** The request headers it depends on, besides `Accept-Encoding`. */
  readonly varies?: ReadonlyArray<'cookie' | 'accept-language'>;
}

/** In order of preference: the smallest first. */
const ENCODINGS = ['br', 'gzip', 'identity'] as const;
type Encoding = (typeof ENCODINGS)[number];

/** Smaller bodies fit into the first packets unencoded. */
const WORTH_ENCODING = 1_400;
/** Writing this much to a socket takes longer than most requests take in total. */
const LARGE = 16_384;
/** RFC 8246. */
const FOR_A_YEAR = 'public, max-age=31536000, immutable';
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };

const ENCODERS: Readonly<Record<Encoding, (bytes: Buffer) => Promise<Buffer>>> = {
  br: (bytes) => promisify(brotliCompress)(bytes, BROTLI),
  gzip: (bytes) => promisify(gzip)(bytes, { level: 9 }),
  identity: async (bytes) => bytes,
};

/** Encoded bodies, for as long as the original is in use: encoding for each request would delay all others. */
const encoded = new WeakMap<CachedBody, Map<Encoding, Promise<Buffer>>>();

/**
 * Sends the body in the best encoding that the caller accepts. Responds with 304 if `If-None-Match` names this body in
 * any encoding (RFC 9110, section 13.1.2).
 */
export async function sendCached(
  request: FastifyRequest,
  reply: FastifyReply,
  cached: CachedBody,
): Promise<FastifyReply> {
  const encoding = encodingOf(request.headers['accept-encoding'], cached.body.length);
  // A strong tag identifies exact bytes, so each encoding has its own.
  const tagOf = (of: Encoding): string =>
    of === 'identity' ? cached.etag : cached.etag.replace(/"$/, `-${of}"`);
  reply
    .header('etag', tagOf(encoding))
    .header('cache-control', cached.immutable ? FOR_A_YEAR : 'public, no-cache');
  reply.header('vary', ['accept-encoding', ...(cached.varies ?? [])].join(', '));
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

/** Sends at most one large body in each turn of the event loop, so that short requests never wait for several. */
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

/** The parts of RFC 9110, section 12.5.3, that apply to ENCODINGS; `identity` if none of them is accepted. */
function encodingOf(accepted: string | undefined, length: number): Encoding {
  if (accepted === undefined || length < WORTH_ENCODING) return 'identity';
  const weights = weightsOf(accepted);
  return ENCODINGS.find((name) => (weights.get(name) ?? 0) > 0) ?? 'identity';
}
