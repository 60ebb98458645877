import { randomBytes } from 'node:crypto';
import type { JsonObject } from '../shared/json.ts';
import type { Reply } from '../shared/reply.ts';
import {
  checkQuery,
  enumQuery,
  jsonBody,
  optionalString,
  requiredString,
  type SimulatedRequest,
} from '../shared/request.ts';
import { badRequest, notFound } from '../shared/vendor-error.ts';
import { item, items, succeeded } from './errors.ts';
import type { NotificationSender, SigningKey } from './notification-sender.ts';
import type { User } from './users.ts';

const TYPES = ['TOKEN', 'ACCOUNT', 'TRANSACTION', 'TRANSFER', 'PAYMENT'] as const;
type WebhookType = (typeof TYPES)[number];
const STATUSES = ['SENT', 'FAILED', 'RETRY'] as const;

export type Subscription = {
  readonly id: string;
  /** Id of the user. */
  readonly user: string;
  readonly type: string;
  readonly state: string;
  readonly createdAt: number;
};

/** Subscriptions to notifications. */
export class Webhooks {
  readonly #key: SigningKey;
  readonly #sender: NotificationSender;
  readonly #now: () => number;
  #subscriptions: Subscription[] = [];

  constructor(key: SigningKey, sender: NotificationSender, now: () => number) {
    this.#key = key;
    this.#sender = sender;
    this.#now = now;
  }

  all(): readonly Subscription[] {
    return this.#subscriptions;
  }

  /** Restores the subscriptions of an earlier run. */
  restore(subscriptions: readonly Subscription[]): void {
    this.#subscriptions = [...subscriptions];
  }

  /** `GET /webhooks` */
  list(request: SimulatedRequest, user: User): Reply {
    checkQuery(request.query, []);
    return items(this.#of(user).map((one) => this.#json(one)));
  }

  /** `POST /webhooks` */
  subscribe(request: SimulatedRequest, user: User): Reply {
    const body = jsonBody(request, ['webhook_type', 'state']);
    const sent = requiredString(body, 'webhook_type');
    const type = TYPES.find((one) => one === sent);
    if (type === undefined)
      throw badRequest('bad_request', `webhook_type must be one of ${TYPES.join(', ')}`);
    if (this.#sender.target === null)
      throw badRequest('bad_request', 'No webhook URL is registered for this app');
    const made = {
      id: `hook_${randomBytes(12).toString('hex')}`,
      user: user.id,
      type,
      state: optionalString(body, 'state') ?? '',
      createdAt: this.#now(),
    };
    this.#subscriptions.push(made);
    return succeeded({ item_id: made.id });
  }

  /** `DELETE /webhooks/{id}` */
  unsubscribe({ params }: SimulatedRequest, user: User): Reply {
    const held = this.#of(user).find(({ id }) => id === params.id);
    if (held === undefined) throw notFound('not_found', 'Webhook not found');
    this.#subscriptions = this.#subscriptions.filter((one) => one !== held);
    return succeeded();
  }

  /** `GET /webhook-events` */
  events({ query }: SimulatedRequest): Reply {
    checkQuery(query, ['status', 'start', 'end']);
    const status = enumQuery(query, 'status', STATUSES);
    if (status === null) throw badRequest('bad_request', 'status is required');
    const start = Date.parse(query.get('start') ?? '1970-01-01');
    const end = Date.parse(query.get('end') ?? '9999-12-31');
    const events = this.#sender.events().filter((event) => {
      return event.status === status && event.createdAt > start && event.createdAt <= end;
    });
    return items(
      events.map(({ id, subscription, payload, createdAt }) => ({
        _id: id,
        _hook: subscription,
        status,
        payload,
        created_at: new Date(createdAt).toISOString(),
        updated_at: new Date(createdAt).toISOString(),
      })),
    );
  }

  /** `GET /keys/{id}` */
  key({ params }: SimulatedRequest): Reply {
    if (params.id !== String(this.#key.id)) throw notFound('not_found', 'Key not found');
    return item(this.#key.pem);
  }

  /** Sends a notification about a user, if there is a subscription. */
  notify(user: User, type: WebhookType, payload: JsonObject): void {
    for (const { id, type: subscribed, state } of this.#of(user)) {
      if (subscribed === type) this.#sender.send(id, { webhook_type: type, ...payload, state });
    }
  }

  /** Notifies that a user's token was revoked. Their subscriptions end with it. */
  tokenDeleted(user: User): void {
    this.notify(user, 'TOKEN', { webhook_code: 'DELETE', item_id: user.id });
    this.#subscriptions = this.#subscriptions.filter((one) => one.user !== user.id);
  }

  /** Notifies of accounts that were added or removed. */
  accountsChanged(ids: readonly string[], user: User, code: 'CREATE' | 'DELETE'): void {
    for (const id of ids) this.notify(user, 'ACCOUNT', { webhook_code: code, item_id: id });
  }

  #of(user: User): readonly Subscription[] {
    return this.#subscriptions.filter((one) => one.user === user.id);
  }

  #json({ id, type, state, createdAt }: Subscription): JsonObject {
    const created = new Date(createdAt).toISOString();
    return { _id: id, type, state, url: this.#sender.target ?? '', created_at: created, updated_at: created };
  }
}
