import assert from 'node:assert/strict';
import type { DestinationLinking } from '../../../../src/connectors/destinations/destination-contract.ts';
import { type ConsentOutcome, completeConsent } from '../../../support/consent-client.ts';

export const REDIRECT = 'https://app.example.test/connect/return';
const VERIFIER = 'a-verifier-of-this-one-link-that-is-43-long';

/** What a person who signs in ends with. */
export async function signIn(linking: DestinationLinking | undefined, outcome: ConsentOutcome = 'approve') {
  assert.ok(linking);
  const { signal } = new AbortController();
  const request = { redirectUri: REDIRECT, state: 'state-of-this-one-link', verifier: VERIFIER };
  const back = await completeConsent(await linking.begin(request, signal), { outcome });
  assert.equal(back.searchParams.get('state'), request.state);
  const query = Object.fromEntries([...back.searchParams].filter(([name]) => name !== 'state'));
  return linking.complete({ redirectUri: REDIRECT, verifier: VERIFIER, query }, signal);
}

/** The grant of a person who signed in. */
export async function grantOf(linking: DestinationLinking | undefined): Promise<string> {
  const outcome = await signIn(linking);
  assert.equal(outcome.kind, 'linked');
  return outcome.kind === 'linked' ? outcome.grant : '';
}
