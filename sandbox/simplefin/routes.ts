import type { JsonObject } from '../shared/json.ts';
import { htmlReply, json, type Reply, reply } from '../shared/reply.ts';
import type { SimulatedRequest } from '../shared/request.ts';
import type { RoutePath } from '../shared/router.ts';
import { VendorError } from '../shared/vendor-error.ts';
import { accountSet, type ServerSettings } from './account-sets.ts';
import type { Bank } from './bank.ts';
import { createPage, tokenPage } from './pages.ts';
import type { ServerQuirks } from './quirks.ts';
import type { Quota } from './quota.ts';
import { forbidden, type Tokens } from './state.ts';

export type Route = RoutePath & { readonly handle: (request: SimulatedRequest) => Reply };

/** The root of the server; everything is relative to it. */
export const ROOT = '/simplefin';

export function routesOf(parts: {
  readonly bank: Bank;
  readonly tokens: Tokens;
  readonly settings: ServerSettings;
  readonly quota: Quota;
  readonly quirks: ServerQuirks;
  readonly now: () => number;
  /** The address of the root. */
  readonly base: () => string;
}): readonly Route[] {
  const { bank, tokens, settings, quota, quirks, now, base } = parts;
  return [
    {
      method: 'GET',
      path: `${ROOT}/info`,
      handle: () => json(200, { versions: settings.version === 2 ? ['1.0', '2.0'] : ['1.0'] }),
    },
    { method: 'GET', path: `${ROOT}/create`, handle: () => htmlReply(200, createPage(null)) },
    {
      method: 'POST',
      path: `${ROOT}/create`,
      handle: ({ body }) => {
        const form = new URLSearchParams(body);
        const logIn = form.get('other_customer') || (form.get('customer') ?? '');
        if (bank.find(logIn) === null)
          return htmlReply(400, createPage('There is no one with that name here.'));
        return htmlReply(200, tokenPage(setupToken(base(), tokens.create(logIn))));
      },
    },
    {
      method: 'POST',
      path: `${ROOT}/claim/:token`,
      handle: ({ params }) => {
        const blocked = quirks.inFront();
        if (blocked !== null) return blocked;
        const { user, password } = tokens.claim(params.token ?? '');
        const url = new URL(base());
        url.username = user;
        url.password = password;
        return reply(200, url.href, { 'content-type': 'text/plain', 'cache-control': 'no-store' });
      },
    },
    {
      method: 'GET',
      path: `${ROOT}/accounts`,
      handle: (request) => {
        const blocked = quirks.inFront();
        if (blocked !== null) return blocked;
        const { user, logIn } = tokens.caller(request.headers.authorization);
        const person = bank.find(logIn);
        if (person === null) throw forbidden();
        if (!quota.take(user))
          throw new VendorError(429, 'gen.api', 'Too many requests. Expected are 24 requests a day.');
        return (
          quirks.insteadOfAccounts() ??
          json(
            200,
            accountSet(bank, person, request, { ...settings, warns: quirks.has('quota_warning') }, now()),
          )
        );
      },
    },
  ];
}

/** Base64 of the claim address. */
export function setupToken(base: string, token: string): string {
  return Buffer.from(`${base}/claim/${token}`).toString('base64');
}

/** A refusal: a text for credentials and tokens, otherwise an account set without accounts. */
export function errorReply({ status, code, message, headers }: VendorError): Reply {
  if (status === 403) return reply(403, message, { ...headers, 'content-type': 'text/plain' });
  const set: JsonObject = { errors: [message], errlist: [{ code, msg: message }], accounts: [] };
  return reply(status, JSON.stringify(set), headers);
}
