import { randomBytes } from 'node:crypto';
import type { Reply } from '../shared/reply.ts';
import { jsonBody, requiredString, type SimulatedRequest } from '../shared/request.ts';
import { badRequest, VendorError } from '../shared/vendor-error.ts';
import type { Credentials } from './credentials.ts';
import { succeeded } from './errors.ts';
import type { User } from './users.ts';

const CODE_MS = 60_000;
const SESSION_MS = 3_600_000;
const SCOPE = 'ENDURING_CONSENT';

/** One visit to the consent page. */
export type SignIn = {
  readonly id: string;
  readonly redirectUri: string;
  readonly state: string;
  /** A connection to start with, as for a renewal. */
  readonly connection: string | null;
  readonly until: number;
  used: boolean;
};

type Code = { readonly user: User; readonly redirectUri: string; readonly until: number };

/** OAuth: visits to the consent page, and codes that work once. */
export class SignIns {
  readonly #credentials: Credentials;
  readonly #now: () => number;
  readonly #signIns = new Map<string, SignIn>();
  readonly #codes = new Map<string, Code>();

  constructor(credentials: Credentials, now: () => number) {
    this.#credentials = credentials;
    this.#now = now;
  }

  /**
   * A visit, from the query of the address; a text is why there is none, an address is where to send the person
   * instead.
   */
  begin(query: URLSearchParams): SignIn | string | URL {
    if (query.get('client_id') !== this.#credentials.appToken) return 'This application is not known.';
    const redirectUri = query.get('redirect_uri') ?? '';
    if (!URL.canParse(redirectUri)) return 'The application gave no address to return to.';
    const state = query.get('state') ?? '';
    if (query.get('response_type') !== 'code')
      return back(redirectUri, { error: 'unsupported_response_type', state });
    if (query.get('scope') !== SCOPE) return back(redirectUri, { error: 'invalid_scope', state });
    const signIn: SignIn = {
      id: randomBytes(12).toString('hex'),
      redirectUri,
      state,
      connection: query.get('connection'),
      until: this.#now() + SESSION_MS,
      used: false,
    };
    this.#signIns.set(signIn.id, signIn);
    return signIn;
  }

  /** The visit, as long as it can continue. */
  open(id: string): SignIn | null {
    const signIn = this.#signIns.get(id);
    return signIn === undefined || signIn.used || signIn.until <= this.#now() ? null : signIn;
  }

  /** Ends a visit; returns where to send the person. */
  end(signIn: SignIn, outcome: { readonly user: User } | { readonly error: string }): URL {
    signIn.used = true;
    const { redirectUri, state } = signIn;
    if ('error' in outcome) return back(redirectUri, { error: outcome.error, state });
    const code = `code_${randomBytes(12).toString('hex')}`;
    this.#codes.set(code, { user: outcome.user, redirectUri, until: this.#now() + CODE_MS });
    return back(redirectUri, { code, state });
  }

  /** `POST /token` */
  exchange(request: SimulatedRequest): Reply {
    const body = jsonBody(request, ['code', 'redirect_uri', 'grant_type', 'client_id', 'client_secret']);
    if (requiredString(body, 'grant_type') !== 'authorization_code')
      throw badRequest('unsupported_grant_type', 'grant_type must be authorization_code');
    if (!this.#credentials.isApp(requiredString(body, 'client_id'), requiredString(body, 'client_secret')))
      throw new VendorError(401, 'invalid_client', 'Invalid client id or secret');
    const sent = requiredString(body, 'code');
    const code = this.#codes.get(sent);
    this.#codes.delete(sent);
    const good =
      code !== undefined &&
      code.until > this.#now() &&
      code.redirectUri === requiredString(body, 'redirect_uri');
    if (!good || code.user.token === null)
      throw badRequest('invalid_grant', 'The code is invalid or has expired');
    return succeeded({ access_token: code.user.token, token_type: 'bearer', scope: SCOPE });
  }
}

function back(redirectUri: string, query: Readonly<Record<string, string>>): URL {
  const url = new URL(redirectUri);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url;
}
