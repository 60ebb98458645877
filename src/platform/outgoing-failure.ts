/** Where an outgoing call ended. */
export type OutgoingFailureKind =
  | 'refused_address'
  | 'connect'
  | 'dns'
  | 'tls'
  | 'reset'
  | 'timeout'
  | 'too_large'
  | 'aborted'
  | 'protocol';

/**
 * An outgoing call that got no usable answer. The message names the origin and what happened; it never holds a path, a
 * query, a header or a body, since each may carry a secret or financial data.
 */
export class OutgoingFailure extends Error {
  override readonly name = 'OutgoingFailure';
  readonly kind: OutgoingFailureKind;
  /** Whether the request, or part of it, could have reached the peer: if so, the peer may have acted on it. */
  readonly sent: boolean;

  constructor(kind: OutgoingFailureKind, message: string, sent: boolean) {
    super(message);
    this.kind = kind;
    this.sent = sent;
  }
}

/** Raised inside the connector; reaches callers as an OutgoingFailure of kind `refused_address`. */
export class RefusedAddress extends Error {
  override readonly name = 'RefusedAddress';
}

const DNS_CODES = new Set([
  'ENOTFOUND',
  'EAI_AGAIN',
  'EAI_FAIL',
  'EAI_NODATA',
  'EAI_NONAME',
  'ENODATA',
  'ESERVFAIL',
]);
const CONNECT_CODES = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
  'EACCES',
  'EINVAL',
]);
const RESET_CODES = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED', 'UND_ERR_SOCKET', 'UND_ERR_INFO']);
const TIMEOUT_CODES = new Set([
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
]);
/**
 * OpenSSL's verification results, in Node's spelling, in addition to everything that starts with ERR_TLS or ERR_SSL.
 */
const TLS_CODE =
  /^(ERR_TLS|ERR_SSL|ERR_OSSL|CERT_|CRL_|EPROTO$|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED|HOSTNAME_MISMATCH|INVALID_(CA|PURPOSE))/;

const HAPPENED: Record<OutgoingFailureKind, string> = {
  refused_address: 'was refused',
  connect: 'could not be connected to',
  dns: 'has a name that could not be resolved',
  tls: 'did not complete a trusted TLS handshake',
  reset: 'closed the connection before its answer was complete',
  timeout: 'did not answer in time',
  too_large: 'sent an answer larger than is accepted',
  aborted: 'was abandoned: the call was cancelled',
  protocol: 'did not answer in valid HTTP',
};

/** A failure whose message says what happened to the origin. */
export function failureOf(kind: OutgoingFailureKind, origin: string, sent: boolean): OutgoingFailure {
  return new OutgoingFailure(kind, `${origin} ${HAPPENED[kind]}.`, sent);
}

/** Maps what undici, Node's sockets, TLS or DNS raised to a failure. */
export function failureFrom(error: unknown, origin: string, sent: boolean): OutgoingFailure {
  if (error instanceof OutgoingFailure) return error;
  if (error instanceof RefusedAddress) return new OutgoingFailure('refused_address', error.message, sent);
  return failureOf(kindOf(codesOf(error), sent), origin, sent);
}

function kindOf(codes: readonly string[], sent: boolean): OutgoingFailureKind {
  const any = (set: ReadonlySet<string>) => codes.some((code) => set.has(code));
  if (codes.includes('UND_ERR_HEADERS_OVERFLOW')) return 'too_large';
  if (any(TIMEOUT_CODES)) return 'timeout';
  if (any(DNS_CODES)) return 'dns';
  if (codes.some((code) => TLS_CODE.test(code))) return 'tls';
  if (any(CONNECT_CODES)) return 'connect';
  if (any(RESET_CODES)) return sent ? 'reset' : 'connect';
  return 'protocol';
}

/**
 * The codes of an error, of its causes and of its parts: a failure to connect to several addresses is an
 * AggregateError.
 */
function codesOf(error: unknown, depth = 0): string[] {
  if (!(error instanceof Error) || depth > 3) return [];
  const own = 'code' in error && typeof error.code === 'string' ? [error.code] : [];
  const parts: unknown[] = error instanceof AggregateError ? error.errors : [];
  return [...own, ...[error.cause, ...parts].flatMap((inner) => codesOf(inner, depth + 1))];
}
