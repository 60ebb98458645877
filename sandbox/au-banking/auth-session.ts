import { randomBytes } from 'node:crypto';
import { json, type Reply } from '../shared/reply.ts';
import { checkQuery, jsonBody, optionalString, requiredString } from '../shared/request.ts';
import { badRequest, notFound } from '../shared/vendor-error.ts';
import { type Consent, type Consents, PERMISSIONS } from './consents.ts';
import type { EndUsers } from './end-users.ts';
import type { Institutions } from './institutions.ts';
import type { VendorRequest } from './request.ts';

const SESSION_MS = 5 * 86_400_000;
const FIELDS = [
  'end_user_id',
  'redirect_uri',
  'cancel_uri',
  'institution_id',
  'arrangement_id',
  'permissions',
];

/** One visit to the hosted consent pages. */
export type AuthSession = {
  readonly id: string;
  readonly endUserId: string;
  readonly redirectUri: string;
  readonly cancelUri: string;
  readonly institutionId: string | null;
  /** The consent to renew in place; null for a new one. */
  readonly renews: Consent | null;
  readonly permissions: readonly string[];
  readonly expiresAt: number;
  used: boolean;
};

export class AuthSessions {
  readonly #sessions = new Map<string, AuthSession>();
  readonly #users: EndUsers;
  readonly #consents: Consents;
  readonly #institutions: Institutions;
  readonly #clientId: string;
  readonly #pagesUrl: () => string;
  readonly #now: () => number;

  /** @param options.pagesUrl where browsers reach the consent pages, without a trailing slash */
  constructor(
    users: EndUsers,
    consents: Consents,
    institutions: Institutions,
    options: { clientId: string; pagesUrl: () => string; now: () => number },
  ) {
    this.#users = users;
    this.#consents = consents;
    this.#institutions = institutions;
    this.#clientId = options.clientId;
    this.#pagesUrl = options.pagesUrl;
    this.#now = options.now;
  }

  /** A session that can still be completed, or why it cannot. */
  open(id: string): AuthSession | 'unknown' | 'used' | 'expired' {
    const session = this.#sessions.get(id);
    if (!session) return 'unknown';
    if (session.used) return 'used';
    // There is no one left who could consent.
    if (!this.#users.get(session.endUserId)) return 'expired';
    return session.expiresAt > this.#now() ? session : 'expired';
  }

  /** `POST /v1/auth/session` */
  create(request: VendorRequest): Reply {
    checkQuery(request.query, []);
    const body = jsonBody(request, FIELDS);
    const endUserId = requiredString(body, 'end_user_id');
    if (!this.#users.get(endUserId)) throw notFound('end_user_not_found', 'end user not found');
    const redirectUri = webAddress(requiredString(body, 'redirect_uri'), 'redirect_uri');
    const cancelUri = optionalString(body, 'cancel_uri');
    const renews = this.#renewed(optionalString(body, 'arrangement_id'), endUserId);
    const session: AuthSession = {
      id: randomBytes(18).toString('base64url'),
      endUserId,
      redirectUri,
      cancelUri: cancelUri === null ? redirectUri : webAddress(cancelUri, 'cancel_uri'),
      institutionId: this.#institution(optionalString(body, 'institution_id'), renews),
      renews,
      permissions: permissionsOf(body.permissions),
      expiresAt: this.#now() + SESSION_MS,
      used: false,
    };
    this.#forgetOld();
    this.#sessions.set(session.id, session);
    return json(200, {
      session_id: session.id,
      id: this.#clientId,
      auth_url: `${this.#pagesUrl()}/link/${session.id}`,
      expires_at: Math.floor(session.expiresAt / 1000),
    });
  }

  #renewed(arrangementId: string | null, endUserId: string): Consent | null {
    if (arrangementId === null) return null;
    const consent = this.#consents.get(arrangementId);
    if (!consent || consent.endUserId !== endUserId) throw notFound('consent_not_found', 'consent not found');
    return consent;
  }

  #institution(given: string | null, renews: Consent | null): string | null {
    if (given === null) return renews?.institutionId ?? null;
    const institution = this.#institutions.get(given);
    if (!institution) throw notFound('institution_not_found', 'institution not found');
    if (institution.industry !== 'banking' || !institution.accessible) {
      throw badRequest('institution_not_accessible', 'institution cannot be connected with this key');
    }
    if (renews && renews.institutionId !== given) {
      throw badRequest('invalid_parameter', 'institution_id is not the institution of the arrangement');
    }
    return given;
  }

  #forgetOld(): void {
    for (const session of this.#sessions.values()) {
      if (session.expiresAt <= this.#now() - SESSION_MS) this.#sessions.delete(session.id);
    }
  }
}

function webAddress(text: string, name: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw badRequest('invalid_format', `body.${name} must be an absolute http or https URI`);
  }
  return text;
}

function permissionsOf(given: unknown): readonly string[] {
  if (given === undefined || given === null) return PERMISSIONS;
  const known: readonly string[] = PERMISSIONS;
  if (!Array.isArray(given) || given.length === 0 || !given.every((entry) => known.includes(entry))) {
    throw badRequest(
      'invalid_enum_value',
      `body.permissions must be a list out of ${PERMISSIONS.join(', ')}`,
    );
  }
  return given.map(String);
}
