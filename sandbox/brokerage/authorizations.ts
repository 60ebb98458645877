import { NO_CONTENT, type Reply } from '../shared/reply.ts';
import { VendorError } from '../shared/vendor-error.ts';
import { type Connection, type Connections, missing } from './connections.ts';
import type { BrokerageRequest } from './request.ts';
import type { Notice } from './webhooks.ts';
import { reply200 } from './wire-json.ts';

/** How long after a refresh another one is refused. */
const REFRESH_REST_MS = 60_000;
const NOT_ENABLED = 'Feature is not enabled for this customer or this connection';

type AuthorizationsOptions = {
  readonly personal: boolean;
  readonly now: () => number;
  readonly notify: (notice: Notice) => void;
};

/** The calls about connections. */
export class Authorizations {
  readonly #connections: Connections;
  readonly #options: AuthorizationsOptions;
  readonly #refreshed = new Map<string, number>();

  constructor(connections: Connections, options: AuthorizationsOptions) {
    this.#connections = connections;
    this.#options = options;
  }

  list({ user }: BrokerageRequest): Reply {
    if (user === null) throw missing();
    return reply200(this.#connections.of(user).map((connection) => this.#connections.json(connection)));
  }

  detail(request: BrokerageRequest): Reply {
    return reply200(this.#connections.json(this.#required(request)));
  }

  /** `DELETE /connection/{id}`: queued. */
  queueDeletion(request: BrokerageRequest): Reply {
    const connection = this.#required(request);
    this.#connections.remove(connection);
    this.notify('CONNECTION_DELETED', connection);
    return reply200({
      detail: 'Connection queued for deletion; please wait for webhook for confirmation.',
      connection_id: connection.id,
    });
  }

  /** `DELETE /authorizations/{id}`: at once. */
  remove(request: BrokerageRequest): Reply {
    const connection = this.#required(request);
    connection.deletedAt = this.#options.now();
    this.notify('CONNECTION_DELETED', connection);
    return NO_CONTENT;
  }

  /** `POST /authorizations/{id}/refresh` */
  refresh(request: BrokerageRequest): Reply {
    const connection = this.#working(request);
    if (this.#options.personal) throw new VendorError(403, '1141', NOT_ENABLED);
    const now = this.#options.now();
    if ((this.#refreshed.get(connection.id) ?? Number.NEGATIVE_INFINITY) + REFRESH_REST_MS > now)
      throw new VendorError(429, 'throttled', 'Connection refreshed too recently. Please try again later.');
    this.#refreshed.set(connection.id, now);
    connection.refreshedAt = now;
    for (const { id } of this.#connections.accountsOf(connection))
      this.notify('ACCOUNT_HOLDINGS_UPDATED', connection, id);
    return reply200({ detail: `Connection ${connection.id} scheduled for refresh` });
  }

  /** `POST /authorizations/{id}/transactions/sync` */
  syncTransactions(request: BrokerageRequest): Reply {
    const connection = this.#working(request);
    connection.refreshedAt = this.#options.now();
    for (const { id } of this.#connections.accountsOf(connection))
      this.notify('ACCOUNT_TRANSACTIONS_UPDATED', connection, id);
    return reply200({ detail: `Connection ${connection.id} scheduled for transactions sync` });
  }

  /** `POST /authorizations/{id}/disable` */
  disable(request: BrokerageRequest): Reply {
    const connection = this.#required(request);
    if (connection.disabledAt !== null)
      throw new VendorError(402, '3011', 'This connection is already disabled.');
    this.#connections.disable(connection);
    this.notify('CONNECTION_BROKEN', connection);
    return reply200({ detail: `Connection ${connection.id} has been disabled` });
  }

  /** Notifies the webhook of the key. */
  notify(eventType: string, connection: Connection, accountId?: string): void {
    const broker = this.#connections.brokerOf(connection);
    const about = accountId === undefined ? {} : { accountId };
    this.#options.notify({ eventType, userId: connection.userId, connection, broker, ...about });
  }

  #working(request: BrokerageRequest): Connection {
    const connection = this.#required(request);
    if (connection.disabledAt === null) return connection;
    throw new VendorError(
      402,
      '3003',
      'Unable to sync with brokerage account because the connection is disabled.',
    );
  }

  #required({ user, params }: BrokerageRequest): Connection {
    if (user === null) throw missing();
    return this.#connections.require(user, params.id ?? '');
  }
}
