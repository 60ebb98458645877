import assert from 'node:assert/strict';
import type {
  AuthorizationOutcome,
  DestinationConnector,
} from '../../../../src/connectors/destinations/destination-contract.ts';

const REDIRECT = 'https://hub.example.test/connect/return';
const ATTEMPT = {
  redirectUri: REDIRECT,
  state: 'state-1',
  verifier: 'verifier-that-is-not-used-by-this-vendor',
};

/** The whole of a sign-in at the vendor's page, pressing one of its buttons. */
export async function press(
  connector: DestinationConnector,
  outcome: 'approve' | 'deny' | 'fail',
): Promise<AuthorizationOutcome> {
  const { linking } = connector;
  assert.ok(linking);
  const signal = AbortSignal.timeout(60_000);
  const page = await linking.begin({ ...ATTEMPT }, signal);
  const html = await (await fetch(page)).text();
  const action = /action="([^"]+)"/.exec(html)?.[1];
  assert.ok(action, html);
  const body = new URLSearchParams({ outcome });
  const back = await fetch(new URL(action, page), { method: 'POST', body, redirect: 'manual' });
  const location = new URL(back.headers.get('location') ?? '');
  assert.equal(location.searchParams.get('state'), ATTEMPT.state);
  const query = Object.fromEntries(location.searchParams);
  return linking.complete({ ...ATTEMPT, query }, signal);
}

/** A grant as a person gives it. */
export async function signIn(connector: DestinationConnector): Promise<string> {
  const outcome = await press(connector, 'approve');
  assert.equal(outcome.kind, 'linked');
  return outcome.kind === 'linked' ? outcome.grant : assert.fail();
}
