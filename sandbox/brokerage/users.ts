import { randomUUID } from 'node:crypto';
import type { Reply } from '../shared/reply.ts';
import { jsonBody, requiredQuery, requiredString } from '../shared/request.ts';
import { VendorError } from '../shared/vendor-error.ts';
import type { BrokerageRequest, User } from './request.ts';
import { reply200 } from './wire-json.ts';

/** The only user of a personal key. */
const OWNER = 'owner';

type UsersOptions = {
  readonly personal: boolean;
  readonly now: () => number;
  readonly deletionDelayMs: () => number;
  readonly onDeletion: (user: User) => void;
};

/** The users of the key. Deletions are queued. */
export class Users {
  readonly #users = new Map<string, User>();
  readonly #options: UsersOptions;

  constructor(options: UsersOptions) {
    this.#options = options;
    if (options.personal) this.#add(OWNER);
  }

  all(): readonly User[] {
    return [...this.#users.values()].filter((user) => this.#isThere(user));
  }

  get(userId: string): User | null {
    const user = this.#users.get(userId);
    return user !== undefined && this.#isThere(user) ? user : null;
  }

  restore(users: readonly User[]): void {
    for (const user of users) this.#users.set(user.userId, user);
  }

  /** The user of a request, by its query, or the owner of a personal key. */
  of({ query }: Pick<BrokerageRequest, 'query'>): User {
    const user = this.#options.personal ? this.get(OWNER) : this.get(query.get('userId') ?? '');
    const known = this.#options.personal || user?.userSecret === query.get('userSecret');
    if (user === null || !known) throw new VendorError(401, '1083', 'Invalid userID or userSecret provided.');
    return user;
  }

  register(request: BrokerageRequest): Reply {
    this.#requireCommercial();
    const userId = requiredString(jsonBody(request, ['userId']), 'userId');
    if (this.get(userId) !== null)
      throw new VendorError(400, '1010', 'A user with this userId is registered already.');
    return reply200(secretJson(this.#add(userId)));
  }

  reset(request: BrokerageRequest): Reply {
    this.#requireCommercial();
    const body = jsonBody(request, ['userId', 'userSecret']);
    const user = this.get(requiredString(body, 'userId'));
    const given = requiredString(body, 'userSecret');
    if (user === null || (given !== user.userSecret && given !== user.outdated))
      throw new VendorError(401, '1083', 'Invalid userID or userSecret provided.');
    user.userSecret = randomUUID();
    user.outdated = null;
    return reply200(secretJson(user));
  }

  list(): Reply {
    this.#requireCommercial();
    return reply200(this.all().map(({ userId }) => userId));
  }

  remove(request: BrokerageRequest): Reply {
    this.#requireCommercial();
    const user = this.get(requiredQuery(request.query, 'userId'));
    if (user === null) throw new VendorError(404, '1011', 'The requested resource does not exist.');
    user.deletedAt ??= this.#options.now() + this.#options.deletionDelayMs();
    this.#options.onDeletion(user);
    return reply200({
      status: 'deleted',
      detail: 'User queued for deletion; please wait for webhook for confirmation.',
      userId: user.userId,
    });
  }

  /** The user's secret is no longer valid, except to get the next. */
  outdate(user: User): void {
    user.outdated = user.userSecret;
    user.userSecret = randomUUID();
  }

  #add(userId: string): User {
    const user: User = { userId, userSecret: randomUUID(), outdated: null, deletedAt: null };
    this.#users.set(userId, user);
    return user;
  }

  #isThere({ deletedAt }: User): boolean {
    return deletedAt === null || deletedAt > this.#options.now();
  }

  #requireCommercial(): void {
    if (this.#options.personal)
      throw new VendorError(403, '1141', 'Feature is not enabled for this customer or this connection');
  }
}

function secretJson({ userId, userSecret }: User): { userId: string; userSecret: string } {
  return { userId, userSecret };
}
