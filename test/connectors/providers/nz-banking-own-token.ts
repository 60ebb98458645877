import assert from 'node:assert/strict';
import { completeConsent } from '../../support/consent-client.ts';
import { SENT } from './nz-banking-bank.ts';

interface Vendor {
  readonly url: string;
  readonly oauthUrl: string;
  readonly appToken: string;
  readonly appSecret: string;
}

/** What the owner of a personal app finds in the vendor's console: the token by which the app reads their banks. */
export async function ownToken({ url, oauthUrl, appToken, appSecret }: Vendor): Promise<string> {
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: appToken,
    redirect_uri: SENT.redirectUri,
    scope: 'ENDURING_CONSENT',
  });
  const back = await completeConsent(`${oauthUrl}?${query}`, { customer: 'three-banks' });
  const answer = await fetch(`${url}/v1/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      code: back.searchParams.get('code'),
      redirect_uri: SENT.redirectUri,
      grant_type: 'authorization_code',
      client_id: appToken,
      client_secret: appSecret,
    }),
  });
  const [token] = /user_token_\w+/.exec(await answer.text()) ?? [];
  return token ?? assert.fail('there is no token');
}
