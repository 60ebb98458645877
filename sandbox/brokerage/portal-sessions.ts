import { randomUUID } from 'node:crypto';
import type { Reply } from '../shared/reply.ts';
import { jsonBody, optionalString } from '../shared/request.ts';
import { VendorError } from '../shared/vendor-error.ts';
import type { Brokers } from './brokers.ts';
import { type Connection, type Connections, missing } from './connections.ts';
import type { BrokerageRequest } from './request.ts';
import type { Users } from './users.ts';
import { reply200 } from './wire-json.ts';

const SESSION_MS = 5 * 60_000;
const FIELDS = [
  'broker',
  'immediateRedirect',
  'customRedirect',
  'reconnect',
  'connectionType',
  'showCloseButton',
  'darkMode',
  'locale',
  'connectionPortalVersion',
];
const TYPES: readonly unknown[] = ['read', 'trade', 'trade-if-available'];

/** One visit to the hosted pages. */
export type PortalSession = {
  readonly id: string;
  readonly userId: string;
  /** Where people are sent back to; null ends on a page. */
  readonly customRedirect: string | null;
  readonly immediateRedirect: boolean;
  readonly brokerId: string | null;
  /** The connection to sign in to again; null for a new one. */
  readonly reconnect: Connection | null;
  readonly expiresAt: number;
  used: boolean;
};

export class PortalSessions {
  readonly #sessions = new Map<string, PortalSession>();
  readonly #users: Users;
  readonly #connections: Connections;
  readonly #brokers: Brokers;
  readonly #options: { readonly pagesUrl: () => string; readonly now: () => number };

  constructor(
    users: Users,
    connections: Connections,
    brokers: Brokers,
    options: { readonly pagesUrl: () => string; readonly now: () => number },
  ) {
    this.#users = users;
    this.#connections = connections;
    this.#brokers = brokers;
    this.#options = options;
  }

  /** A session that can still be completed, or why it cannot. */
  open(id: string): PortalSession | 'unknown' | 'used' | 'expired' {
    const session = this.#sessions.get(id);
    if (session === undefined) return 'unknown';
    if (session.used) return 'used';
    if (this.#users.get(session.userId) === null) return 'expired';
    return session.expiresAt > this.#options.now() ? session : 'expired';
  }

  /** `POST /snapTrade/login` */
  create(request: BrokerageRequest): Reply {
    const { user } = request;
    if (user === null) throw missing();
    const body = request.body === '' ? {} : jsonBody(request, FIELDS);
    const reconnect = optionalString(body, 'reconnect');
    const broker = optionalString(body, 'broker');
    if (body.connectionType !== undefined && !TYPES.includes(body.connectionType))
      throw new VendorError(400, '1012', 'connectionType is not one of those documented.');
    const known = broker === null ? null : this.#brokers.get(broker);
    if (broker !== null && known === null) throw new VendorError(400, '1012', 'broker is not known.');
    const session: PortalSession = {
      id: randomUUID(),
      userId: user.userId,
      customRedirect: webAddress(optionalString(body, 'customRedirect')),
      immediateRedirect: body.immediateRedirect === true,
      brokerId: known?.id ?? null,
      reconnect: reconnect === null ? null : this.#connections.require(user, reconnect),
      expiresAt: this.#options.now() + SESSION_MS,
      used: false,
    };
    for (const old of this.#sessions.values()) {
      if (old.expiresAt <= this.#options.now() - SESSION_MS) this.#sessions.delete(old.id);
    }
    this.#sessions.set(session.id, session);
    return reply200({
      redirectURI: `${this.#options.pagesUrl()}/portal/${session.id}`,
      sessionId: session.id,
    });
  }
}

function webAddress(given: string | null): string | null {
  if (given === null) return null;
  const url = URL.canParse(given) ? new URL(given) : null;
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new VendorError(400, '1012', 'customRedirect is not an address.');
  return given;
}
