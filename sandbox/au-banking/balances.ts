import { json, type Reply } from '../shared/reply.ts';
import { checkQuery, enumQuery, requiredQuery } from '../shared/request.ts';
import { badRequest, notFound, VendorError } from '../shared/vendor-error.ts';
import { balanceAt, fiskilAccountId } from './bank-account.ts';
import type { Institutions } from './institutions.ts';
import { PAGE_PARAMETERS, pageList } from './paging.ts';
import type { VendorRequest } from './request.ts';
import type { SharedAccount, SharedAccounts } from './shared-accounts.ts';

/** How many live requests a bank answers per account and day while no customer is present. */
export const UNATTENDED_FETCHES_PER_DAY = 20;
const DAY_MS = 86_400_000;

/** `GET /v1/banking/balances`, including live requests to the bank. */
export class Balances {
  readonly #shared: SharedAccounts;
  readonly #institutions: Institutions;
  readonly #now: () => number;
  readonly #fetches = new Map<string, number[]>();

  constructor(shared: SharedAccounts, institutions: Institutions, now: () => number) {
    this.#shared = shared;
    this.#institutions = institutions;
    this.#now = now;
  }

  list(request: VendorRequest, baseUrl: string): Reply {
    checkQuery(request.query, ['end_user_id', 'account_id', 'fetch', ...PAGE_PARAMETERS]);
    const accountId = request.query.get('account_id');
    const live = enumQuery(request.query, 'fetch', ['true', 'false']) === 'true';
    const found = this.#shared
      .of(requiredQuery(request.query, 'end_user_id'), 'balances')
      .filter(({ account }) => accountId === null || account.accountId === accountId);
    if (live) this.#ask(found, accountId, request.headers['x-fiskil-client-ip-address'] !== undefined);
    const now = this.#now();
    const items = found.map((entry) => balanceItem(entry, now));
    const page = pageList(items, baseUrl, request.path, request.query);
    return json(200, { balances: page.items, links: page.links });
  }

  #ask(found: readonly SharedAccount[], accountId: string | null, present: boolean): void {
    if (accountId === null) throw badRequest('invalid_parameter', 'fetch requires account_id');
    const entry = found[0];
    if (!entry) throw notFound('account_not_found', 'account not found');
    const { account, consent } = entry;
    if (this.#institutions.get(account.institutionId)?.status === 'OUTAGE') {
      throw new VendorError(503, 'institution_unavailable', 'the institution is not available');
    }
    const now = this.#now();
    if (!present) {
      const recent = (this.#fetches.get(account.accountId) ?? []).filter((at) => at > now - DAY_MS);
      const oldest = recent[0];
      if (oldest !== undefined && recent.length >= UNATTENDED_FETCHES_PER_DAY) {
        const seconds = Math.ceil((oldest + DAY_MS - now) / 1000);
        throw new VendorError(429, 'too_many_requests', 'the bank limits unattended requests', {
          'retry-after': String(seconds),
        });
      }
      this.#fetches.set(account.accountId, [...recent, now]);
    }
    consent.accessedAt = now;
  }
}

function balanceItem({ account, consent }: SharedAccount, now: number) {
  const { current, available } = balanceAt(account, now);
  return {
    key: `${consent.arrangementId}/${account.accountId}`,
    json: {
      account_id: account.accountId,
      fiskil_id: fiskilAccountId(account),
      arrangement_id: consent.arrangementId,
      institution_id: account.institutionId,
      current_balance: current,
      available_balance: available,
      credit_limit: account.terms.creditLimit,
      amortised_limit: account.terms.amortisedLimit,
      currency: account.currency,
      ...(account.terms.purses ? { purses: account.terms.purses } : {}),
    },
  };
}
