import {
  createDecipheriv,
  createECDH,
  createPublicKey,
  hkdfSync,
  randomBytes,
  randomUUID,
  verify,
} from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';

/** A message as a browser would show it, and what its push service saw of it. */
export interface PushedMessage {
  /** The path of the subscription it was sent to. */
  readonly to: string;
  /** What the browser decrypted; null if the push service did not pass it on. */
  readonly message: unknown;
  readonly headers: IncomingMessage['headers'];
  readonly bytes: number;
  readonly status: number;
}

/** A subscription of a browser, as `PushSubscription.toJSON` has it. */
export interface BrowserSubscription {
  readonly endpoint: string;
  readonly keys: { readonly p256dh: string; readonly auth: string };
}

interface Subscriber {
  readonly ecdh: ReturnType<typeof createECDH>;
  readonly auth: Buffer;
  /** The key that it was made for. */
  readonly vapidKey: string;
  answer: { readonly status: number; readonly retryAfter?: string } | null;
}

/**
 * A push service with its browsers (RFC 8030): checks who sends (RFC 8292), decrypts as a browser does (RFC 8291), and
 * answers what it is told to.
 */
export class SimulatedPushService {
  readonly url: string;
  readonly received: PushedMessage[] = [];
  readonly #subscribers = new Map<string, Subscriber>();
  readonly #now: () => number;

  private constructor(url: string, now: () => number) {
    this.url = url;
    this.#now = now;
  }

  /** @param now the time of the service that sends, epoch milliseconds */
  static async open(
    t: { readonly after: (close: () => void) => void },
    now: () => number = Date.now,
  ): Promise<SimulatedPushService> {
    let self: SimulatedPushService | null = null;
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { status, retryAfter } = self?.take(request, Buffer.concat(chunks)) ?? { status: 500 };
        response.writeHead(status, retryAfter === undefined ? {} : { 'retry-after': retryAfter }).end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    t.after(() => {
      server.closeAllConnections();
      server.close();
    });
    const address = server.address();
    if (address === null || typeof address === 'string') throw new TypeError('the server has no port');
    self = new SimulatedPushService(`http://127.0.0.1:${address.port}`, now);
    return self;
  }

  /** Subscribes a new browser, as it does with the key of the page. */
  subscribe(vapidKey: string): BrowserSubscription {
    const ecdh = createECDH('prime256v1');
    ecdh.generateKeys();
    const auth = randomBytes(16);
    const path = `/push/${randomUUID()}`;
    this.#subscribers.set(path, { ecdh, auth, vapidKey, answer: null });
    return {
      endpoint: `${this.url}${path}`,
      keys: { p256dh: ecdh.getPublicKey().toString('base64url'), auth: auth.toString('base64url') },
    };
  }

  /** What the push service answers for a subscription from now on; 201 by default. */
  answerWith({ endpoint }: BrowserSubscription, status: number, retryAfter?: string): void {
    const subscriber = this.#subscribers.get(new URL(endpoint).pathname);
    if (subscriber === undefined) throw new TypeError('there is no such subscription');
    subscriber.answer = { status, ...(retryAfter !== undefined && { retryAfter }) };
  }

  /** What arrived at a browser. */
  shownTo({ endpoint }: BrowserSubscription): readonly unknown[] {
    const path = new URL(endpoint).pathname;
    return this.received
      .filter(({ to, status }) => to === path && status === 201)
      .map(({ message }) => message);
  }

  take(request: IncomingMessage, body: Buffer): { readonly status: number; readonly retryAfter?: string } {
    const to = request.url ?? '';
    const subscriber = this.#subscribers.get(to);
    const answer = this.#judge(request, body, subscriber);
    const message =
      subscriber !== undefined && answer.status === 201 ? JSON.parse(decrypted(subscriber, body)) : null;
    this.received.push({ to, message, headers: request.headers, bytes: body.length, status: answer.status });
    return answer;
  }

  #judge(
    { method, headers }: IncomingMessage,
    body: Buffer,
    subscriber: Subscriber | undefined,
  ): { readonly status: number; readonly retryAfter?: string } {
    if (method !== 'POST' || headers['content-encoding'] !== 'aes128gcm' || headers.ttl === undefined)
      return { status: 400 };
    if (!/^[\w-]{1,32}$/.test(String(headers.topic))) return { status: 400 };
    if (body.length > 4096) return { status: 413 };
    if (subscriber === undefined) return { status: 404 };
    if (!this.#isAuthorised(headers.authorization ?? '', subscriber.vapidKey)) return { status: 403 };
    return subscriber.answer ?? { status: 201 };
  }

  #isAuthorised(authorization: string, vapidKey: string): boolean {
    const [, head = '', claims = '', signature = '', key = ''] =
      /^vapid t=([\w-]+)\.([\w-]+)\.([\w-]+), k=([\w-]+)$/.exec(authorization) ?? [];
    if (key === '' || key !== vapidKey) return false;
    const point = Buffer.from(key, 'base64url');
    const jwk = {
      kty: 'EC',
      crv: 'P-256',
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33).toString('base64url'),
    };
    const right = verify(
      'sha256',
      Buffer.from(`${head}.${claims}`),
      { key: createPublicKey({ format: 'jwk', key: jwk }), dsaEncoding: 'ieee-p1363' },
      Buffer.from(signature, 'base64url'),
    );
    const { alg } = JSON.parse(Buffer.from(head, 'base64url').toString());
    const { aud, exp, sub } = JSON.parse(Buffer.from(claims, 'base64url').toString());
    const seconds = this.#now() / 1000;
    const timely = exp > seconds && exp <= seconds + 86_400;
    return right && alg === 'ES256' && aud === this.url && timely && /^(?:mailto:|https:)/.test(sub);
  }
}

/** RFC 8291 from the browser's side. */
function decrypted({ ecdh, auth }: Pick<Subscriber, 'ecdh' | 'auth'>, body: Buffer): string {
  const salt = body.subarray(0, 16);
  const sender = body.subarray(21, 21 + body.readUInt8(20));
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), ecdh.getPublicKey(), sender]);
  const secret = Buffer.from(hkdfSync('sha256', ecdh.computeSecret(sender), auth, info, 32));
  const key = Buffer.from(hkdfSync('sha256', secret, salt, 'Content-Encoding: aes128gcm\0', 16));
  const nonce = Buffer.from(hkdfSync('sha256', secret, salt, 'Content-Encoding: nonce\0', 12));
  const sealed = body.subarray(21 + sender.length);
  const decipher = createDecipheriv('aes-128-gcm', key, nonce);
  decipher.setAuthTag(sealed.subarray(-16));
  const padded = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
  const end = padded.lastIndexOf(2);
  if (end === -1 || padded.subarray(end + 1).some((byte) => byte !== 0)) throw new TypeError('wrong padding');
  return padded.subarray(0, end).toString();
}
