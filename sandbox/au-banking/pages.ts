import { randomBytes } from 'node:crypto';
import type { Choice } from '../shared/html.ts';
import { htmlReply, type Reply, redirectTo } from '../shared/reply.ts';
import type { AuthSession, AuthSessions } from './auth-session.ts';
import type { Bank } from './bank.ts';
import type { BankAccount, Customer } from './bank-account.ts';
import type { Consents } from './consents.ts';
import type { Institution, Institutions } from './institutions.ts';
import { accountsPage, bankPage, endPage, loginPage } from './pages-html.ts';
import type { VendorRequest } from './request.ts';

const ERROR_URI = 'https://consumerdatastandardsaustralia.github.io/standards/#error-codes';
/** Failures a person can choose, with the wording of the callback. */
const FAILURES: Readonly<Record<string, string>> = {
  CONSENT_UPSTREAM_PROCESSING_ERROR: 'The bank could not process the consent',
  CONSENT_OTP_FAILURE: 'The one-time password was not accepted',
  CONSENT_ENDUSER_INELIGIBLE: 'The person cannot share data from this bank',
  CONSENT_TIMEOUT: 'The consent was not completed in time',
};

/** The vendor's hosted consent: choose a bank, log in, choose accounts. Plain forms; no state but the fields. */
export class ConsentPages {
  readonly #sessions: AuthSessions;
  readonly #consents: Consents;
  readonly #institutions: Institutions;
  readonly #bank: Bank;
  readonly #pagesUrl: () => string;

  constructor(
    sessions: AuthSessions,
    consents: Consents,
    institutions: Institutions,
    bank: Bank,
    pagesUrl: () => string,
  ) {
    this.#sessions = sessions;
    this.#consents = consents;
    this.#institutions = institutions;
    this.#bank = bank;
    this.#pagesUrl = pagesUrl;
  }

  /** `GET /link/{session}` */
  start(request: VendorRequest): Reply {
    return this.#visit(request, (session) => this.#ask(session, session.institutionId, null, null));
  }

  /** `POST /link/{session}/institution` */
  institution(request: VendorRequest): Reply {
    return this.#visit(request, (session, form) =>
      this.#ask(session, form.get('institution_id'), null, null),
    );
  }

  /** `POST /link/{session}/login` */
  login(request: VendorRequest): Reply {
    return this.#visit(request, (session, form) => {
      const institutionId = session.institutionId ?? form.get('institution_id');
      return this.#ask(session, institutionId, form.get('other_customer') || form.get('customer'), null);
    });
  }

  /** `POST /link/{session}/complete`, from the last page or from a script in one go. */
  complete(request: VendorRequest): Reply {
    return this.#visit(request, (session, form) => {
      const outcome = form.get('outcome') ?? '';
      if (outcome === 'deny')
        return this.#refuse(
          session,
          'CONSENT_ENDUSER_DENIED',
          'access_denied',
          'The person denied the consent',
        );
      if (outcome === 'cancel')
        return this.#refuse(
          session,
          'AUTH_SESSION_CANCELLED',
          'session_cancelled',
          'The person cancelled the session',
        );
      if (outcome === 'fail')
        return this.#fail(session, form.get('error_type') ?? 'CONSENT_UPSTREAM_PROCESSING_ERROR');
      if (outcome !== 'approve')
        return htmlReply(400, endPage('Not understood', 'outcome must be approve, deny, cancel or fail.'));
      return this.#approve(session, form);
    });
  }

  #approve(session: AuthSession, form: URLSearchParams): Reply {
    const institutionId =
      session.institutionId ?? form.get('institution_id') ?? this.#institutions.connectable()[0]?.id ?? null;
    const institution = this.#connectable(institutionId);
    const login = form.get('customer') || session.renews?.customer || null;
    const customer = institution && login ? this.#customer(session, institution, login) : null;
    if (!institution || !customer) return this.#ask(session, institutionId, login, null);
    if (institution.status === 'OUTAGE') return this.#fail(session, 'CONSENT_UPSTREAM_PROCESSING_ERROR');
    const sharable = customer.accounts
      .filter((account) => account.state !== 'GONE')
      .map((account) => account.accountId);
    const ticked = form.getAll('account_id');
    const everything = ticked.length === 0 && !form.has('accounts_shown');
    const accountIds = everything ? sharable : sharable.filter((accountId) => ticked.includes(accountId));
    if (accountIds.length === 0)
      return this.#ask(session, institutionId, login, 'Tick at least one account.');
    session.used = true;
    if (session.renews) this.#consents.renew(session.renews, accountIds);
    else {
      this.#consents.grant({
        endUserId: session.endUserId,
        institutionId: institution.id,
        customer: customer.customer,
        accountIds,
        permissions: session.permissions,
      });
    }
    return redirectTo(session.redirectUri, { session_id: session.id });
  }

  /** The first page that is not answered yet. */
  #ask(
    session: AuthSession,
    institutionId: string | null,
    login: string | null,
    problem: string | null,
  ): Reply {
    const action = `${new URL(this.#pagesUrl()).pathname.replace(/\/$/, '')}/link/${session.id}`;
    const institution = this.#connectable(session.institutionId ?? institutionId);
    if (!institution) {
      const banks = this.#institutions.connectable().map((bank) => this.#bankChoice(bank));
      return htmlReply(
        200,
        bankPage(action, banks, institutionId === null ? null : 'Choose one of these banks.'),
      );
    }
    const customer = login === null ? null : this.#customer(session, institution, login);
    if (!customer) {
      const offered = this.#bank.offered(institution.id);
      const own = session.renews?.customer;
      const customers =
        own === undefined
          ? offered
          : [this.#bank.find(institution.id, own)].filter((entry) => entry !== null);
      const choices = customers.map((entry) => ({
        value: entry.customer,
        label: entry.name,
        detail: entry.summary,
      }));
      const anyRows = own === undefined && this.#bank.acceptsAnyRowCount(institution.id);
      const wrong = login === null ? null : 'No such customer here, or not the one who gave the consent.';
      return htmlReply(200, loginPage(action, institution, choices, anyRows, wrong));
    }
    const accounts = customer.accounts.filter((account) => account.state !== 'GONE').map(accountChoice);
    return htmlReply(
      200,
      accountsPage(action, institution, customer, accounts, session.permissions, problem),
    );
  }

  #connectable(id: string | null): Institution | null {
    return this.#institutions.connectable().find((institution) => institution.id === id) ?? null;
  }

  #customer(session: AuthSession, institution: Institution, login: string): Customer | null {
    if (session.renews && session.renews.customer !== login) return null;
    return this.#bank.find(institution.id, login);
  }

  #bankChoice(bank: Institution): Choice {
    const detail = {
      HEALTHY: 'Working',
      DEGRADED: 'Slow at the moment',
      OUTAGE: 'Not reachable: consenting will fail',
    }[bank.status];
    return { value: bank.id, label: bank.name, detail, image: this.#institutions.logoUrl(bank.id) };
  }

  #fail(session: AuthSession, type: string): Reply {
    const description = FAILURES[type];
    if (description === undefined)
      return htmlReply(400, endPage('Not understood', 'error_type is not one the vendor sends.'));
    return this.#refuse(session, type, 'server_error', description);
  }

  #refuse(session: AuthSession, type: string, error: string, description: string): Reply {
    session.used = true;
    return redirectTo(session.cancelUri, {
      error,
      error_id: `err_${randomBytes(9).toString('base64url')}`,
      error_type: type,
      error_description: description,
      error_uri: ERROR_URI,
    });
  }

  #visit(request: VendorRequest, step: (session: AuthSession, form: URLSearchParams) => Reply): Reply {
    const session = this.#sessions.open(request.params.session ?? '');
    if (session === 'unknown')
      return htmlReply(404, endPage('Unknown session', 'Go back to the application and start again.'));
    if (session === 'used')
      return htmlReply(
        410,
        endPage('Already completed', 'This session can be used once. Start again in the application.'),
      );
    if (session === 'expired')
      return htmlReply(410, endPage('Session expired', 'Go back to the application and start again.'));
    return step(session, new URLSearchParams(request.body));
  }
}

function accountChoice(account: BankAccount): Choice {
  const { display_name, masked_number } = account.detail;
  const status = account.state === 'CLOSED' ? ', closed' : '';
  return {
    value: account.accountId,
    label: String(display_name),
    detail: `${String(masked_number)}, ${account.currency}${status}`,
  };
}
