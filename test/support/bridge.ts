import assert from 'node:assert/strict';
import type { TestOwner, TestService } from './service.ts';
import type { Json } from './v2-client.ts';

/** An answer of the bridge as it comes. */
export interface BridgeAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: Json;
}

/** An app with its access URL, which asks as any HTTP client does. */
export interface ConnectedApp {
  readonly accessUrl: string;
  /** The row behind it, as v2 shows it. */
  readonly app: () => Promise<Json>;
  readonly accounts: (query?: string, headers?: Record<string, string>) => Promise<BridgeAnswer>;
}

/** One request to the bridge of a service. */
export async function askBridge(url: string, path: string, init: RequestInit = {}): Promise<BridgeAnswer> {
  const response = await fetch(new URL(`/simplefin${path}`, url), { redirect: 'manual', ...init });
  const text = await response.text();
  const json = response.headers.get('content-type')?.startsWith('application/json') === true;
  const { status, headers } = response;
  return { status, headers, text, body: json && text !== '' ? JSON.parse(text) : null };
}

/** Makes a setup token over v2; the answer is the resource with its text. */
export async function newSetupToken(
  owner: Pick<TestOwner, 'v2'>,
  name = 'budget app',
  more: { readonly two_decimals?: boolean; readonly leave_out_extra?: boolean } = {},
): Promise<Json> {
  const made = await owner.v2('POST', '/v2/simplefin_setup_tokens', { name, ...more });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  return made.body;
}

/** Where a setup token is claimed, as an app finds it. */
export function claimAddress(setupToken: string): string {
  return Buffer.from(setupToken, 'base64').toString('utf8');
}

/** The header of an access URL's credentials. */
export function basicOf(accessUrl: string): string {
  const { username, password } = new URL(accessUrl);
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}

/** The whole way of an app of the owner: a token over v2, the claim, and an access URL. */
export async function connectApp(
  service: Pick<TestService, 'url'>,
  owner: Pick<TestOwner, 'v2'>,
  name = 'budget app',
  more: Parameters<typeof newSetupToken>[2] = {},
): Promise<ConnectedApp> {
  const token = await newSetupToken(owner, name, more);
  const claimed = await fetch(claimAddress(token.setup_token), { method: 'POST' });
  const accessUrl = await claimed.text();
  assert.equal(claimed.status, 200, accessUrl);
  return appWith(service, owner, accessUrl, token.id);
}

function appWith(
  service: Pick<TestService, 'url'>,
  owner: Pick<TestOwner, 'v2'>,
  accessUrl: string,
  token: string,
): ConnectedApp {
  const authorization = basicOf(accessUrl);
  return {
    accessUrl,
    app: async () => {
      const { body } = await owner.v2('GET', `/v2/simplefin_setup_tokens/${token}`);
      return (await owner.v2('GET', `/v2/simplefin_apps/${body.app}`)).body;
    },
    accounts: (query = '', headers = {}) =>
      askBridge(service.url, `/accounts${query === '' ? '' : `?${query}`}`, {
        headers: { authorization, ...headers },
      }),
  };
}

/** Every id of the answer's accounts. */
export function accountIds({ body }: BridgeAnswer): string[] {
  return body.accounts.map(({ id }: Json) => id);
}

/** Every row of the answer. */
export function rowsOf({ body }: BridgeAnswer): Json[] {
  return body.accounts.flatMap(({ transactions }: Json) => transactions);
}
