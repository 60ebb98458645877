import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import type { MemberRole } from '../../../src/vocabulary/member-roles.ts';
import { addPerson, Browser, type Page } from '../../support/people.ts';
import type { TestOwner, TestService } from '../../support/service.ts';
import { type Answer, type Json, v2Client } from '../../support/v2-client.ts';

export const CALLBACK = 'https://app.example/callback';

export interface JsonAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Json;
}

/** What an app registers that keeps a secret to itself nowhere. */
export const PUBLIC_APP = {
  client_name: 'Test app',
  redirect_uris: [CALLBACK],
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  token_endpoint_auth_method: 'none',
};

export async function register(
  { url }: Pick<TestService, 'url'>,
  metadata: unknown = PUBLIC_APP,
): Promise<JsonAnswer> {
  return answerOf(
    await fetch(`${url}/oauth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(metadata),
    }),
  );
}

/** A person who has signed in, in a browser of their own. */
export async function signIn(
  service: Pick<TestService, 'app' | 'url'>,
  owner: Pick<TestOwner, 'record'>,
  role: MemberRole = 'owner',
): Promise<Browser> {
  const person = await addPerson(service, owner, { role });
  const browser = new Browser(service.url);
  assert.equal((await browser.signIn(person.email)).status, 303);
  return browser;
}

export interface Verifier {
  readonly verifier: string;
  readonly challenge: string;
}

export function newVerifier(): Verifier {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}

/** The path of an authorization request; a parameter that is undefined is left out. */
export function authorizePath(parameters: Readonly<Record<string, string | undefined>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) query.set(name, value);
  return `/oauth/authorize?${query}`;
}

export function request(
  client: string,
  challenge: string,
  more: Readonly<Record<string, string | undefined>> = {},
): string {
  return authorizePath({
    response_type: 'code',
    client_id: client,
    redirect_uri: CALLBACK,
    code_challenge: challenge,
    code_challenge_method: 'S256',
    state: 'state-1',
    ...more,
  });
}

/** Opens a request and returns its consent page and the page's path. */
export async function openConsent(browser: Browser, path: string): Promise<Page & { readonly path: string }> {
  const sent = await browser.get(path);
  assert.equal(sent.status, 303, sent.text);
  const address = new URL(sent.headers.get('location') ?? '', 'http://service').pathname;
  assert.match(address, /^\/oauth\/consent\//);
  return { ...(await browser.get(address)), path: address };
}

/** What a form of the page would send as it is, with the scopes that are ticked. */
export function formOf({ text }: Pick<Page, 'text'>): { readonly proof: string; readonly ticked: string[] } {
  const proof = /name="proof" value="([^"]*)"/.exec(text)?.[1] ?? '';
  const boxes = [...text.matchAll(/<input type="checkbox" name="scope" value="([^"]*)"( checked)?>/g)];
  return {
    proof,
    ticked: boxes.flatMap(([, scope = '', checked]) => (checked === undefined ? [] : [scope])),
  };
}

/** Answers a consent page and follows it to where the app is called back. */
export async function answerConsent(
  browser: Browser,
  page: Page & { readonly path: string },
  decision: 'allow' | 'deny',
  scopes: readonly string[] = formOf(page).ticked,
): Promise<URL> {
  const fields: [string, string][] = [
    ['proof', formOf(page).proof],
    ['decision', decision],
    ...scopes.map((scope): [string, string] => ['scope', scope]),
  ];
  const posted = await postForm(browser, page.path, fields);
  const resumed = await browser.get(localOf(goesOnTo(posted)));
  assert.equal(resumed.status, 303, resumed.text);
  return new URL(resumed.headers.get('location') ?? '');
}

/** Where a decision leads the browser on to; an app on the web is reached by way of a page. */
export function goesOnTo({ status, headers, text }: Page): string {
  if (status === 303) return headers.get('location') ?? '';
  assert.equal(status, 200, text);
  return /<meta http-equiv="refresh" content="0; url=([^"]+)">/.exec(text)?.[1] ?? assert.fail(text);
}

/** As `Browser.post`, with fields that repeat. */
export function postForm(
  browser: Browser,
  path: string,
  fields: readonly (readonly [string, string])[],
  headers: Record<string, string> = {},
): Promise<Page> {
  return browser.postPairs(path, fields, headers);
}

export function localOf(location: string | null): string {
  const { pathname, search } = new URL(location ?? '', 'http://service');
  return pathname + search;
}

/** The code an app is called back with, once the person has allowed what is ticked. */
export async function codeFor(browser: Browser, path: string, scopes?: readonly string[]): Promise<string> {
  const back = await answerConsent(browser, await openConsent(browser, path), 'allow', scopes);
  const code = back.searchParams.get('code');
  assert.ok(code, back.href);
  return code;
}

export async function postToken(
  { url }: Pick<TestService, 'url'>,
  fields: Readonly<Record<string, string>>,
  headers: Record<string, string> = {},
): Promise<JsonAnswer> {
  return answerOf(
    await fetch(`${url}/oauth/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body: new URLSearchParams(fields).toString(),
    }),
  );
}

export interface Tokens {
  readonly access: string;
  readonly refresh: string;
  readonly scope: string;
}

export interface LetIn extends Tokens {
  readonly client: string;
}

/** An app that the person behind the browser has let in: registered, allowed, with its first tokens. */
export async function letIn(
  service: Pick<TestService, 'url'>,
  browser: Browser,
  {
    scope,
    resource,
    allow,
    name = PUBLIC_APP.client_name,
  }: { scope?: string; resource?: string; allow?: readonly string[]; name?: string } = {},
): Promise<LetIn> {
  const { body } = await register(service, { ...PUBLIC_APP, client_name: name });
  const client: string = body.client_id;
  const { verifier, challenge } = newVerifier();
  const code = await codeFor(browser, request(client, challenge, { scope, resource }), allow);
  const answer = await exchange(service, client, code, verifier);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return { client, ...tokensOf(answer) };
}

export function exchange(
  service: Pick<TestService, 'url'>,
  client: string,
  code: string,
  verifier: string,
  more: Readonly<Record<string, string>> = {},
): Promise<JsonAnswer> {
  return postToken(service, {
    grant_type: 'authorization_code',
    client_id: client,
    code,
    redirect_uri: CALLBACK,
    code_verifier: verifier,
    ...more,
  });
}

export function refresh(
  service: Pick<TestService, 'url'>,
  client: string,
  token: string,
  more: Readonly<Record<string, string>> = {},
): Promise<JsonAnswer> {
  return postToken(service, {
    grant_type: 'refresh_token',
    client_id: client,
    refresh_token: token,
    ...more,
  });
}

export function tokensOf({ body }: JsonAnswer): Tokens {
  return { access: body.access_token, refresh: body.refresh_token, scope: body.scope };
}

/** Asks v2 with a bearer token. */
export function askV2({ url }: Pick<TestService, 'url'>, token: string, path = '/v2/me'): Promise<Answer> {
  return v2Client(url, token)('GET', path);
}

export async function answerOf(response: Response): Promise<JsonAnswer> {
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: text.startsWith('{') ? JSON.parse(text) : text,
  };
}
