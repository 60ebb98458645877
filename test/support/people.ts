import { hashPassword } from '../../src/platform/password-hash.ts';
import { newRowId } from '../../src/platform/row-id.ts';
import { insertMembership } from '../../src/storage/memberships.ts';
import { insertUser, type User } from '../../src/storage/users.ts';
import { rowId } from '../../src/vocabulary/ids.ts';
import type { MemberRole } from '../../src/vocabulary/member-roles.ts';
import type { TestOwner, TestService } from './service.ts';
import { type V2Client, v2Client } from './v2-client.ts';

export const PASSWORD = 'correct horse battery';

let made = 0;
let hash: Promise<string> | null = null;

/** A person with a password, PASSWORD, who shares the owner's account record. */
export async function addPerson(
  { app }: Pick<TestService, 'app'>,
  { record }: Pick<TestOwner, 'record'>,
  {
    role = 'owner',
    email,
    operator = false,
  }: { readonly role?: MemberRole; readonly email?: string; readonly operator?: boolean } = {},
): Promise<User> {
  made += 1;
  hash ??= hashPassword(PASSWORD);
  const now = new Date(app.clock.now());
  const address = email ?? `person${made}@example.test`;
  const user: User = {
    id: rowId('user', newRowId(app.clock)),
    email: address,
    email_normalised: address.toLowerCase(),
    password_hash: await hash,
    operator,
    created: now,
    updated: now,
  };
  await insertUser(app.database.db, user);
  await joinRecord({ app }, { record }, user, role);
  return user;
}

/** Makes the person a member of one more account record. */
export async function joinRecord(
  { app }: Pick<TestService, 'app'>,
  { record }: Pick<TestOwner, 'record'>,
  { id }: Pick<User, 'id'>,
  role: MemberRole = 'owner',
): Promise<void> {
  const now = new Date(app.clock.now());
  const membership = { account_record: record.id, user_id: id, role, created: now, updated: now };
  await insertMembership(app.database.db, membership);
}

/** A browser that no one looks at: its cookies, by name, and what it sends with every request. */
export class Browser {
  readonly #url: string;
  readonly #address: string | null;
  readonly cookies = new Map<string, string>();

  /** @param address where it is, for a service that trusts one proxy */
  constructor(url: string, address: string | null = null) {
    this.#url = url;
    this.#address = address;
  }

  get cookie(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  get(path: string, headers: Record<string, string> = {}): Promise<Page> {
    return this.#ask(path, { method: 'GET', headers });
  }

  /** Sends a form as a page of the service does. */
  post(
    path: string,
    fields: Record<string, string> = {},
    headers: Record<string, string> = {},
  ): Promise<Page> {
    return this.#postText(path, new URLSearchParams(fields), headers);
  }

  /** The same with fields that repeat. */
  postPairs(
    path: string,
    fields: readonly (readonly [string, string])[],
    headers: Record<string, string> = {},
  ): Promise<Page> {
    return this.#postText(
      path,
      new URLSearchParams([...fields.map(([name, value]): [string, string] => [name, value])]),
      headers,
    );
  }

  /** Sends what a script of the service sends. */
  send(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Page> {
    return this.#ask(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', ...headers },
      body: JSON.stringify(body),
    });
  }

  async signIn(email: string, password: string = PASSWORD): Promise<Page> {
    return this.post('/sign-in', { email, password });
  }

  /** Asks v2 as a page of the service does. */
  get v2(): V2Client {
    const client = v2Client(this.#url, '');
    return (method, path, body, headers = {}) =>
      client(method, path, body, {
        authorization: '',
        cookie: this.cookie,
        'sec-fetch-site': 'same-origin',
        ...headers,
      });
  }

  #postText(path: string, form: URLSearchParams, headers: Record<string, string>): Promise<Page> {
    const type = 'application/x-www-form-urlencoded';
    return this.#ask(path, {
      method: 'POST',
      headers: { 'content-type': type, 'sec-fetch-site': 'same-origin', ...headers },
      body: form.toString(),
    });
  }

  async #ask(path: string, init: RequestInit & { readonly headers: Record<string, string> }): Promise<Page> {
    const response = await fetch(new URL(path, this.#url), {
      ...init,
      redirect: 'manual',
      headers: {
        ...init.headers,
        ...(this.cookies.size > 0 && { cookie: this.cookie }),
        ...(this.#address !== null && { 'x-forwarded-for': this.#address }),
      },
    });
    for (const text of response.headers.getSetCookie()) this.#keep(text);
    return { status: response.status, headers: response.headers, text: await response.text() };
  }

  #keep(text: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(text) ?? [];
    if (/Max-Age=0(?:;|$)/.test(text)) this.cookies.delete(name);
    else this.cookies.set(name, value);
  }
}

/** A browser in which the person has signed in. */
export async function signedIn(
  service: Pick<TestService, 'url'>,
  { email }: Pick<User, 'email'>,
): Promise<Browser> {
  const browser = new Browser(service.url);
  const { status } = await browser.signIn(email);
  if (status !== 303) throw new Error(`the person was not signed in: ${status}`);
  return browser;
}

/** Where a person goes on who has joined an account record: without the web application, there is no home page. */
export async function joinedPath(browser: Browser): Promise<string> {
  return (await browser.get('/welcome')).status === 404 ? '/settings/security' : '/';
}

/** The secret part of the one address of this kind in a text. */
export function secretIn(text: string, page: 'first-run' | 'reset-password' | 'invitations'): string {
  const found = new RegExp(`/${page}/([\\w-]{43})`).exec(text)?.[1];
  if (found === undefined) throw new Error(`there is no link to ${page} in: ${text}`);
  return found;
}

export interface Page {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}
