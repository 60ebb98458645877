import { randomBytes } from 'node:crypto';
import type { JsonObject } from '../shared/json.ts';
import { json, NO_CONTENT, type Reply } from '../shared/reply.ts';
import { checkQuery, jsonBody, optionalString, requiredString } from '../shared/request.ts';
import { badRequest, notFound } from '../shared/vendor-error.ts';
import { PAGE_PARAMETERS, pageList } from './paging.ts';
import type { VendorRequest } from './request.ts';
import { utcText } from './rows/moment.ts';

const FIELDS = ['email', 'name', 'phone', 'abn'] as const;

export type EndUser = {
  readonly id: string;
  readonly email: string;
  readonly name: string | null;
  readonly phone: string | null;
  readonly abn: string | null;
  readonly created_at: string;
};

/** The vendor's end users. E-mail addresses are not unique, so a repeated creation creates a second one. */
export class EndUsers {
  readonly #users = new Map<string, EndUser>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  get(id: string): EndUser | null {
    return this.#users.get(id) ?? null;
  }

  all(): readonly EndUser[] {
    return [...this.#users.values()];
  }

  restore(users: readonly EndUser[]): void {
    for (const user of users) this.#users.set(user.id, user);
  }

  create(request: VendorRequest): Reply {
    checkQuery(request.query, []);
    const body = jsonBody(request, FIELDS);
    const email = emailOf(requiredString(body, 'email'));
    const user: EndUser = {
      id: `eu_${randomBytes(15).toString('hex').slice(0, 27)}`,
      email,
      name: optionalString(body, 'name'),
      phone: optionalString(body, 'phone'),
      abn: optionalString(body, 'abn'),
      created_at: utcText(this.#now()),
    };
    this.#users.set(user.id, user);
    return json(201, { end_user_id: user.id });
  }

  list(request: VendorRequest, baseUrl: string): Reply {
    checkQuery(request.query, ['email', ...PAGE_PARAMETERS]);
    const email = request.query.get('email');
    const found = this.all().filter((user) => email === null || user.email === email);
    const items = found.map((user) => ({ key: user.id, json: toJson(user) }));
    const page = pageList(items, baseUrl, request.path, request.query);
    return json(200, request.version === 'v3' ? { end_users: page.items, links: page.links } : page.items);
  }

  read(request: VendorRequest): Reply {
    return json(200, toJson(this.#require(request)));
  }

  update(request: VendorRequest): Reply {
    const user = this.#require(request);
    const body = jsonBody(request, FIELDS);
    const changed: EndUser = {
      ...user,
      email: emailOf(optionalString(body, 'email') ?? user.email),
      name: optionalString(body, 'name') ?? user.name,
      phone: optionalString(body, 'phone') ?? user.phone,
      abn: optionalString(body, 'abn') ?? user.abn,
    };
    this.#users.set(user.id, changed);
    return json(200, toJson(changed));
  }

  remove(request: VendorRequest): Reply {
    this.#users.delete(this.#require(request).id);
    return NO_CONTENT;
  }

  #require(request: VendorRequest): EndUser {
    checkQuery(request.query, []);
    const user = this.get(request.params.id ?? '');
    if (!user) throw notFound('end_user_not_found', 'end user not found');
    return user;
  }
}

function emailOf(text: string): string {
  if (!/^[^@\s]+@[^@\s]+$/.test(text))
    throw badRequest('invalid_format', 'body.email must be formatted as an email');
  return text;
}

function toJson(user: EndUser): JsonObject {
  const optional = Object.entries({ name: user.name, phone: user.phone, abn: user.abn });
  return {
    id: user.id,
    email: user.email,
    ...Object.fromEntries(optional.filter(([, value]) => value !== null)),
    created_at: user.created_at,
  };
}
