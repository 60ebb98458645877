import { randomUUID } from 'node:crypto';
import type { JsonObject } from '../shared/json.ts';
import { json, NO_CONTENT, type Reply } from '../shared/reply.ts';
import { checkQuery, enumQuery, requiredQuery } from '../shared/request.ts';
import type { EndUsers } from './end-users.ts';
import type { Institutions } from './institutions.ts';
import { PAGE_PARAMETERS, pageList } from './paging.ts';
import type { VendorRequest } from './request.ts';

/** Twelve months, the longest the standard allows. Seconds. */
const CONSENT_SECONDS = 365 * 86_400;

export const PERMISSIONS = [
  'accounts',
  'balances',
  'transactions',
  'payees',
  'direct_debits',
  'scheduled_payments',
  'identity',
] as const;

/** A person's agreement that one bank shares some accounts. Instants are epoch ms. */
export type Consent = {
  readonly arrangementId: string;
  readonly endUserId: string;
  readonly institutionId: string;
  readonly customer: string;
  readonly createdAt: number;
  readonly permissions: readonly string[];
  accountIds: readonly string[];
  consentedAt: number;
  expiresAt: number;
  accessedAt: number;
  /** Set once someone has ended the consent; free text. */
  ended: string | null;
};

export type NewConsent = Pick<
  Consent,
  'endUserId' | 'institutionId' | 'customer' | 'accountIds' | 'permissions'
>;

/** What happens to a consent, in the vendor's words. */
export type ConsentEvent = 'received' | 'updated' | 'revoked';

export class Consents {
  readonly #consents = new Map<string, Consent>();
  readonly #ofUser = new Map<string, Consent[]>();
  readonly #users: EndUsers;
  readonly #institutions: Institutions;
  readonly #now: () => number;
  readonly #listeners: ((event: ConsentEvent, consent: Consent) => void)[] = [];

  constructor(users: EndUsers, institutions: Institutions, now: () => number) {
    this.#users = users;
    this.#institutions = institutions;
    this.#now = now;
  }

  onEvent(listener: (event: ConsentEvent, consent: Consent) => void): void {
    this.#listeners.push(listener);
  }

  get(arrangementId: string): Consent | null {
    return this.#consents.get(arrangementId) ?? null;
  }

  all(): readonly Consent[] {
    return [...this.#consents.values()];
  }

  restore(consents: readonly Consent[]): void {
    for (const consent of consents) this.#keep(consent);
  }

  isActive(consent: Consent): boolean {
    return consent.ended === null && consent.expiresAt > this.#now();
  }

  /** The active consents of an end user; none once the end user is deleted. */
  activeOf(endUserId: string): readonly Consent[] {
    return this.#of(endUserId).filter((consent) => this.isActive(consent));
  }

  grant(terms: NewConsent): Consent {
    const now = this.#now();
    const consent: Consent = {
      ...terms,
      arrangementId: randomUUID(),
      createdAt: now,
      consentedAt: now,
      expiresAt: now + CONSENT_SECONDS * 1000,
      accessedAt: now,
      ended: null,
    };
    this.#keep(consent);
    this.#tell('received', consent);
    return consent;
  }

  /** Renews an existing consent, which keeps its id. */
  renew(consent: Consent, accountIds: readonly string[]): void {
    const now = this.#now();
    consent.accountIds = accountIds;
    consent.consentedAt = now;
    consent.expiresAt = now + CONSENT_SECONDS * 1000;
    consent.ended = null;
    this.#tell('updated', consent);
  }

  end(arrangementId: string, reason: string): boolean {
    const consent = this.get(arrangementId);
    if (consent && consent.ended === null) {
      consent.ended = reason;
      this.#tell('revoked', consent);
    }
    return consent !== null;
  }

  expire(arrangementId: string): boolean {
    const consent = this.get(arrangementId);
    if (consent && this.isActive(consent)) {
      consent.expiresAt = this.#now();
      this.#tell('revoked', consent);
    }
    return consent !== null;
  }

  /** `GET /v1/consent` */
  list(request: VendorRequest, baseUrl: string): Reply {
    checkQuery(request.query, ['end_user_id', 'active', ...PAGE_PARAMETERS]);
    const endUserId = requiredQuery(request.query, 'end_user_id');
    const active = enumQuery(request.query, 'active', ['true', 'false']);
    const found = this.#of(endUserId).filter(
      (consent) => active === null || this.isActive(consent) === (active === 'true'),
    );
    const items = found.map((consent) => ({
      key: consent.arrangementId,
      json: this.#toJson(consent),
    }));
    const page = pageList(items, baseUrl, request.path, request.query);
    return json(200, request.version === 'v3' ? { consents: page.items, links: page.links } : page.items);
  }

  /** `DELETE /v1/consent/{arrangement_id}`: 204 for anything, so the answer proves nothing. */
  remove(request: VendorRequest): Reply {
    checkQuery(request.query, []);
    this.end(request.params.id ?? '', 'Revoked by the data recipient');
    return NO_CONTENT;
  }

  #tell(event: ConsentEvent, consent: Consent): void {
    for (const listener of this.#listeners) listener(event, consent);
  }

  #keep(consent: Consent): void {
    this.#consents.set(consent.arrangementId, consent);
    const others = this.#ofUser.get(consent.endUserId);
    if (others) others.push(consent);
    else this.#ofUser.set(consent.endUserId, [consent]);
  }

  #of(endUserId: string): readonly Consent[] {
    return this.#users.get(endUserId) ? (this.#ofUser.get(endUserId) ?? []) : [];
  }

  #toJson(consent: Consent): JsonObject {
    const active = this.isActive(consent);
    const institution = this.#institutions.get(consent.institutionId);
    return {
      arrangement_id: consent.arrangementId,
      active,
      account_ids: consent.accountIds,
      app_name: 'Sandbox application',
      app_logo: null,
      created_at: instantText(consent.createdAt),
      duration: CONSENT_SECONDS,
      end_user_id: consent.endUserId,
      end_user_email: this.#users.get(consent.endUserId)?.email ?? null,
      expires_at: instantText(consent.expiresAt),
      institution_id: consent.institutionId,
      institution_name: institution?.name ?? null,
      institution_logo: this.#institutions.logoUrl(consent.institutionId),
      institution_type: institution?.industry ?? null,
      last_accessed: instantText(consent.accessedAt),
      last_consent: instantText(consent.consentedAt),
      permissions: consent.permissions,
      termination_reason: active ? null : (consent.ended ?? 'Consent has expired'),
    };
  }
}

/** To the millisecond, so that two consents of the same second can be distinguished. */
const instantText = (at: number): string => new Date(at).toISOString();
