import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import type { AirtableSimulator } from '../../sandbox/airtable/server.ts';
import { completeConsent } from '../support/consent-client.ts';

const REDIRECT = 'http://localhost/return';
const VERIFIER = 'v'.repeat(43);
export const SCOPE = 'data.records:read data.records:write schema.bases:read schema.bases:write';

/** The page on which a person grants access. @param more parameters in place of the usual ones; null for none */
export function authorizePage(
  { url }: AirtableSimulator,
  clientId: string,
  more: Readonly<Record<string, string | null>> = {},
): string {
  const query: Readonly<Record<string, string | null>> = {
    client_id: clientId,
    redirect_uri: REDIRECT,
    response_type: 'code',
    scope: SCOPE,
    state: 'a state of sixteen',
    code_challenge: createHash('sha256').update(VERIFIER).digest('base64url'),
    code_challenge_method: 'S256',
    ...more,
  };
  const page = new URL('/oauth2/v1/authorize', url);
  for (const [name, value] of Object.entries(query)) if (value !== null) page.searchParams.set(name, value);
  return page.href;
}

/** What the token endpoint answers. */
export function exchange(
  { url }: AirtableSimulator,
  credentials: string | null,
  fields: Readonly<Record<string, string>>,
): Promise<Response> {
  const basic = credentials === null ? {} : { authorization: `Basic ${btoa(credentials)}` };
  return fetch(`${url}/oauth2/v1/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...basic },
    body: new URLSearchParams(fields),
  });
}

/** The fields that exchange the code of a person who consented. */
export async function codeFields(simulator: AirtableSimulator, clientId: string) {
  const back = await completeConsent(authorizePage(simulator, clientId));
  return {
    grant_type: 'authorization_code',
    code: back.searchParams.get('code') ?? assert.fail('no code'),
    redirect_uri: REDIRECT,
    code_verifier: VERIFIER,
  };
}

/** An access token of a person who consented. */
export async function airtableToken(
  simulator: AirtableSimulator,
  clientId: string,
  secret: string,
): Promise<string> {
  const answer = await exchange(simulator, `${clientId}:${secret}`, await codeFields(simulator, clientId));
  assert.equal(answer.status, 200);
  return JSON.parse(await answer.text()).access_token;
}
