import { randomUUID } from 'node:crypto';
import type { Reply } from '../shared/reply.ts';
import { checkQuery, type SimulatedRequest } from '../shared/request.ts';
import { VendorError, vendorErrorOf } from '../shared/vendor-error.ts';
import type { SimulatedVendor } from '../shared/vendor-http.ts';
import { errorReply } from './errors.ts';
import { KEY_PARAMETERS, USER_PARAMETERS, type User } from './request.ts';
import { OLD_PREFIX, type Route } from './routes.ts';
import { signatureOf } from './signature.ts';
import type { Users } from './users.ts';

/** How far from now the time of a request may be. */
const MOST_AGE_S = 300;
const ACCOUNT = /^\/accounts\/([^/]+)\//;

type AnsweringOptions = {
  readonly clientId: string;
  readonly consumerKey: string;
  readonly personal: boolean;
  readonly users: Users;
  readonly rate: RequestRate;
  readonly now: () => number;
  /** Requests a minute of the key. */
  readonly mostRequests: () => number;
  /** Requests a minute for one account, an additional limit of personal keys. */
  readonly mostOfAccount: () => number;
};

/** How the vendor answers and refuses: counted, signed, in time, for a user. None of it applies to pages. */
export function answering(
  options: AnsweringOptions,
): Pick<SimulatedVendor<Route>, 'handle' | 'refuse' | 'expireToken'> {
  const named = (reply: Reply): Reply => ({
    ...reply,
    headers: { ...reply.headers, 'x-request-id': randomUUID() },
  });
  return {
    handle: (route, request) => {
      if (route.kind === 'page') return route.handle({ ...request, user: null });
      if (route.kind === 'open') return named(route.handle({ ...request, user: null }));
      const headers: Record<string, string> = request.path.startsWith(OLD_PREFIX)
        ? { deprecation: '@1781222400' }
        : {};
      try {
        Object.assign(headers, counted(options, request));
        const user = checked(options, route, request);
        const reply = route.handle({ ...request, user });
        return named({ ...reply, headers: { ...reply.headers, ...headers } });
      } catch (error) {
        const reply = errorReply(vendorErrorOf(error));
        return named({ ...reply, headers: { ...headers, ...reply.headers } });
      }
    },
    refuse: (error) => named(errorReply(error)),
    // Nothing of a request can expire: it is signed with the key.
    expireToken: () => undefined,
  };
}

/** The headers with the number of requests left. */
function counted(options: AnsweringOptions, { path }: SimulatedRequest): Record<string, string> {
  const most = options.mostRequests();
  const key = options.rate.count('', most);
  const headers = limitHeaders('x-ratelimit', most, key);
  if (key.left < 0) throw throttled(key.resetSeconds, headers);
  const account = options.personal ? ACCOUNT.exec(path)?.[1] : undefined;
  if (account === undefined) return headers;
  const mostOfAccount = options.mostOfAccount();
  const one = options.rate.count(account, mostOfAccount);
  Object.assign(headers, limitHeaders('x-ratelimit-account', mostOfAccount, one));
  if (one.left < 0) throw throttled(one.resetSeconds, headers);
  return headers;
}

function limitHeaders(
  prefix: string,
  most: number,
  { left, resetSeconds }: { readonly left: number; readonly resetSeconds: number },
): Record<string, string> {
  return {
    [`${prefix}-limit`]: String(most),
    [`${prefix}-remaining`]: String(Math.max(0, left)),
    [`${prefix}-reset`]: String(resetSeconds),
  };
}

function throttled(seconds: number, headers: Record<string, string>): VendorError {
  const text = `Request was throttled. Expected available in ${seconds} seconds.`;
  return new VendorError(429, 'throttled', text, headers);
}

/** The user of the request. Refuses one that is not signed, not current, or has undocumented parameters. */
function checked(options: AnsweringOptions, route: Route, request: SimulatedRequest): User | null {
  const { query } = request;
  const forUser = route.kind === 'user' && !options.personal;
  checkQuery(query, [...KEY_PARAMETERS, ...(forUser ? USER_PARAMETERS : []), ...route.query]);
  if (query.get('clientId') !== options.clientId) throw new VendorError(401, '1083', 'Invalid clientId.');
  const at = Number(query.get('timestamp') ?? Number.NaN);
  if (!(Math.abs(options.now() / 1000 - at) <= MOST_AGE_S))
    throw new VendorError(400, '1076', 'Unable to verify data sent');
  if (!isSigned(options, request)) throw new VendorError(401, '1076', 'Unable to verify signature sent');
  return route.kind === 'user' ? options.users.of(request) : null;
}

/** The vendor's own client omits a prefix of the path from what it signs; raw requests include it. */
function isSigned({ consumerKey }: AnsweringOptions, request: SimulatedRequest): boolean {
  const { path, rawQuery, body, headers } = request;
  const content = contentOf(body);
  const paths = path.startsWith(OLD_PREFIX) ? [path, path.slice(OLD_PREFIX.length)] : [path];
  return paths.some(
    (signed) =>
      signatureOf({ content, path: signed, query: rawQuery }, encodeURI(consumerKey)) === headers.signature,
  );
}

function contentOf(body: string): unknown {
  if (body === '') return null;
  try {
    const parsed: unknown = JSON.parse(body);
    const isEmpty = typeof parsed === 'object' && parsed !== null && Object.keys(parsed).length === 0;
    return isEmpty ? null : parsed;
  } catch {
    return body;
  }
}

const WINDOW_MS = 60_000;

/** Requests of the last minute, by what they are counted for. */
export class RequestRate {
  readonly #now: () => number;
  readonly #requests = new Map<string, number[]>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Counts one request. `left` is negative if there was no room for it; `resetSeconds` until there is again. */
  count(key: string, most: number): { readonly left: number; readonly resetSeconds: number } {
    const now = this.#now();
    const kept = (this.#requests.get(key) ?? []).filter((at) => at > now - WINDOW_MS);
    const left = most - kept.length - 1;
    if (left >= 0) kept.push(now);
    this.#requests.set(key, kept);
    return { left, resetSeconds: Math.max(1, Math.ceil(((kept[0] ?? now) + WINDOW_MS - now) / 1000)) };
  }
}
