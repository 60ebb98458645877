import type { Choice } from '../shared/html.ts';
import { htmlReply, type Reply, redirectTo } from '../shared/reply.ts';
import { type Broker, type Brokers, logoUrl, SANDBOX_BROKER } from './brokers.ts';
import type { Connection, Connections } from './connections.ts';
import type { Investor, Investors } from './investors.ts';
import {
  brokerPage,
  consentPage,
  endPage,
  loginPage,
  PORTAL_ERRORS,
  RIGHT_CODE,
  secondFactorPage,
} from './pages-html.ts';
import type { PortalSession, PortalSessions } from './portal-sessions.ts';
import type { BrokerageRequest } from './request.ts';
import type { Users } from './users.ts';

type PortalParts = {
  readonly sessions: PortalSessions;
  readonly users: Users;
  readonly connections: Connections;
  readonly brokers: Brokers;
  readonly investors: Investors;
  readonly pagesUrl: () => string;
  /** A person connected, or signed in again. */
  readonly onConnected: (connection: Connection, again: boolean) => void;
};

/** The vendor's hosted pages: choose a broker, log in, pass a second factor, connect. Plain forms; no state but the fields. */
export class PortalPages {
  readonly #parts: PortalParts;

  constructor(parts: PortalParts) {
    this.#parts = parts;
  }

  /** `GET /portal/{session}` */
  start(request: BrokerageRequest): Reply {
    return this.#visit(request, (session) => this.#ask(session, this.#brokerOf(session, null), null, null));
  }

  /** `POST /portal/{session}/institution` */
  institution(request: BrokerageRequest): Reply {
    return this.#visit(request, (session, form) =>
      this.#ask(session, this.#brokerOf(session, form), null, null),
    );
  }

  /** `POST /portal/{session}/login` */
  login(request: BrokerageRequest): Reply {
    return this.#visit(request, (session, form) =>
      this.#ask(
        session,
        this.#brokerOf(session, form),
        form.get('other_customer') || form.get('customer'),
        null,
      ),
    );
  }

  /** `POST /portal/{session}/second-factor` */
  secondFactor(request: BrokerageRequest): Reply {
    return this.#visit(request, (session, form) =>
      this.#ask(session, this.#brokerOf(session, form), form.get('customer'), form.get('code') ?? ''),
    );
  }

  /** `POST /portal/{session}/complete`, from the last page or from a script in one go. */
  complete(request: BrokerageRequest): Reply {
    return this.#visit(request, (session, form) => {
      const outcome = form.get('outcome') ?? '';
      if (outcome === 'deny' || outcome === 'cancel') return this.#leave(session, { status: 'ABANDONED' });
      if (outcome === 'fail') return this.#fail(session, form.get('error_code') ?? '1066');
      if (outcome !== 'approve')
        return htmlReply(400, endPage('Not understood', 'outcome must be approve, deny, cancel or fail.'));
      return this.#approve(session, form);
    });
  }

  #approve(session: PortalSession, form: URLSearchParams): Reply {
    const { brokers, users, connections, onConnected } = this.#parts;
    const broker = this.#brokerOf(session, form) ?? brokers.get(SANDBOX_BROKER);
    const login = form.get('customer') || session.reconnect?.customer || null;
    const investor = broker === null || login === null ? null : this.#parts.investors.find(broker.id, login);
    if (broker === null || investor === null) return this.#ask(session, broker, login, null);
    if (broker.maintenance) return this.#fail(session, '3000');
    const { signIn } = investor.persona;
    if (typeof signIn === 'object') return this.#fail(session, signIn.errorCode);
    if (signIn === 'second-factor' && form.get('code') !== RIGHT_CODE)
      return form.get('code') === null
        ? this.#ask(session, broker, login, null)
        : this.#fail(session, '1086');
    const { reconnect } = session;
    if (reconnect !== null && reconnect.customer !== investor.persona.customer)
      return this.#fail(session, '1023');
    const user = users.get(session.userId);
    if (user === null) return this.#fail(session, '0000');
    if (reconnect !== null) connections.repair(reconnect);
    const connection = reconnect ?? connections.connect(user, broker, investor.persona.customer);
    onConnected(connection, reconnect !== null);
    return this.#leave(session, { status: 'SUCCESS', connection_id: connection.id });
  }

  /** The first page that is not answered yet. */
  #ask(session: PortalSession, broker: Broker | null, login: string | null, code: string | null): Reply {
    const { brokers, pagesUrl } = this.#parts;
    const action = `${new URL(pagesUrl()).pathname.replace(/\/$/, '')}/portal/${session.id}`;
    if (broker === null) {
      const choices = brokers.connectable().map((one) => brokerChoice(one, pagesUrl()));
      return htmlReply(200, brokerPage(action, choices, null));
    }
    const investor = login === null ? null : this.#parts.investors.find(broker.id, login);
    if (investor === null) return this.#askLogin(session, broker, action, login !== null);
    const fields = { institution_id: broker.slug, customer: investor.persona.customer };
    const { signIn } = investor.persona;
    if (typeof signIn === 'object') return this.#fail(session, signIn.errorCode);
    if (signIn !== 'second-factor')
      return htmlReply(200, consentPage(action, broker, fields, namesOf(investor)));
    if (code === null) return htmlReply(200, secondFactorPage(action, fields, null));
    if (code !== RIGHT_CODE) return this.#fail(session, '1086');
    return htmlReply(200, consentPage(action, broker, { ...fields, code }, namesOf(investor)));
  }

  #askLogin(session: PortalSession, broker: Broker, action: string, wrong: boolean): Reply {
    const own = session.reconnect?.customer;
    const offered = this.#parts.investors
      .offered()
      .map(({ customer, name, summary }) => ({ value: customer, label: name, detail: summary }));
    // A person who signs in again is offered first; others show what happens with another account.
    const choices = [
      ...offered.filter(({ value }) => value === own),
      ...offered.filter(({ value }) => value !== own),
    ];
    return htmlReply(200, loginPage(action, broker, choices, true, wrong ? 'No such log-in here.' : null));
  }

  #brokerOf(session: PortalSession, form: URLSearchParams | null): Broker | null {
    const { brokers } = this.#parts;
    const given = session.reconnect?.brokerId ?? session.brokerId ?? form?.get('institution_id') ?? '';
    const broker = brokers.get(given);
    return broker?.enabled === true ? broker : null;
  }

  #fail(session: PortalSession, code: string): Reply {
    const error = PORTAL_ERRORS[code];
    if (error === undefined)
      return htmlReply(400, endPage('Not understood', 'error_code is not one the vendor sends.'));
    return this.#leave(session, { status: 'ERROR', status_code: error.status, error_code: code });
  }

  #leave(session: PortalSession, outcome: Readonly<Record<string, string>>): Reply {
    session.used = true;
    const { customRedirect } = session;
    if (customRedirect === null) return htmlReply(200, endPage('Done', 'You can close this window.'));
    const back = redirectTo(customRedirect, outcome);
    if (session.immediateRedirect) return back;
    return htmlReply(200, endPage('Done', 'You can go back now.', back.headers.location ?? null));
  }

  #visit(request: BrokerageRequest, step: (session: PortalSession, form: URLSearchParams) => Reply): Reply {
    const session = this.#parts.sessions.open(request.params.session ?? '');
    if (session === 'unknown')
      return htmlReply(404, endPage('Unknown link', 'Go back to the application and start again.'));
    if (session === 'used')
      return htmlReply(
        410,
        endPage('Already used', 'This link can be used once. Start again in the application.'),
      );
    if (session === 'expired')
      return htmlReply(410, endPage('Link expired', 'Go back to the application and start again.'));
    return step(session, new URLSearchParams(request.body));
  }
}

function brokerChoice(broker: Broker, pagesUrl: string): Choice {
  const detail = broker.maintenance
    ? 'In maintenance: connecting will fail'
    : broker.degraded
      ? 'Slow at the moment'
      : 'Working';
  return { value: broker.slug, label: broker.name, detail, image: logoUrl(pagesUrl, broker) };
}

function namesOf({ accounts, persona }: Investor): readonly string[] {
  return accounts.map(({ plan }) => plan.name ?? `${persona.name}, ${plan.rawType}`);
}
