import assert from 'node:assert/strict';
import { sign } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { QUIRKS } from '../../sandbox/enable-banking/quirks.ts';
import {
  type EnableBankingSimulator,
  newKeyPair,
  startEnableBankingSimulator,
} from '../../sandbox/enable-banking/server.ts';
import { ControlError } from '../../sandbox/shared/control.ts';
import { completeConsent } from '../support/consent-client.ts';
import { scratchDirectory } from '../support/scratch.ts';
import type { Json } from '../support/v2-client.ts';

const NOW = Date.parse('2026-11-20T06:00:00Z');
const DAY = 86_400_000;
const APPLICATION = 'app-1';
const pair = newKeyPair();

async function started(t: TestContext, more: { at?: { now: number }; stateFile?: string } = {}) {
  const { publicKey } = await pair;
  const { at = { now: NOW }, ...options } = more;
  const simulator = await startEnableBankingSimulator({
    applicationId: APPLICATION,
    publicKey,
    clock: { now: () => at.now },
    ...options,
  });
  t.after(() => simulator.close());
  return simulator;
}

async function tokenOf(claims: Record<string, unknown> = {}, header: Record<string, unknown> = {}) {
  const { privateKey } = await pair;
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
  const now = NOW / 1000;
  const said = {
    iss: 'enablebanking.com',
    aud: 'api.enablebanking.com',
    iat: now,
    exp: now + 3600,
    ...claims,
  };
  const text = `${encode({ typ: 'JWT', alg: 'RS256', kid: APPLICATION, ...header })}.${encode(said)}`;
  return `${text}.${sign('sha256', Buffer.from(text), privateKey).toString('base64url')}`;
}

async function call(
  { url }: EnableBankingSimulator,
  method: string,
  path: string,
  body?: unknown,
  token?: string,
): Promise<{ status: number; body: Json }> {
  const response = await fetch(url + path, {
    method,
    headers: {
      authorization: `Bearer ${token ?? (await tokenOf({ exp: NOW / 1000 + 80_000 }))}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json() };
}

const asked = (more: Record<string, unknown> = {}) => ({
  access: { valid_until: new Date(NOW + 80 * DAY).toISOString() },
  aspsp: { name: 'Kuura Bank', country: 'FI' },
  state: 's',
  redirect_url: 'https://app.example/return',
  psu_type: 'personal',
  ...more,
});

/** Opens a session; what `POST /sessions` answers. */
async function opened(simulator: EnableBankingSimulator, customer = 'household'): Promise<Json> {
  const { body } = await call(simulator, 'POST', '/auth', asked());
  const back = await completeConsent(body.url, { customer });
  return (await call(simulator, 'POST', '/sessions', { code: back.searchParams.get('code') })).body;
}

describe('The simulator of Enable Banking', () => {
  it('refuses a call whose token is not of the application, for the vendor, and valid now', async (t) => {
    const simulator = await started(t);
    const status = async (token: string) =>
      (await call(simulator, 'GET', '/application', undefined, token)).status;
    assert.equal(await status(await tokenOf()), 200);
    for (const token of [
      await tokenOf({ aud: 'elsewhere' }),
      await tokenOf({ iss: 'else' }),
      await tokenOf({ exp: NOW / 1000 - 3600 }),
      await tokenOf({ exp: NOW / 1000 + 100_000 }),
      await tokenOf({}, { kid: 'other' }),
      `${(await tokenOf()).slice(0, -4)}AAAA`,
      'nothing',
    ])
      assert.equal(await status(token), 401);
  });

  it('lists banks by country and kind of account', async (t) => {
    const simulator = await started(t);
    const names = async (query: string) =>
      (await call(simulator, 'GET', `/aspsps?${query}`)).body.aspsps.map(({ name }: Json) => name);
    assert.deepEqual(await names('country=DE'), ['Ackerbank', 'Ahornbank', 'Handwerkskasse', 'Lindenbank']);
    assert.deepEqual(await names('country=DE&psu_type=personal'), ['Ackerbank', 'Ahornbank', 'Lindenbank']);
  });

  it('refuses a consent that is longer than the bank allows, and a bank that it does not know', async (t) => {
    const simulator = await started(t);
    const late = { access: { valid_until: new Date(NOW + 181 * DAY).toISOString() } };
    for (const [more, error] of [
      [late, 'WRONG_REQUEST_PARAMETERS'],
      [{ aspsp: { name: 'None', country: 'FI' } }, 'WRONG_ASPSP_PROVIDED'],
      [{ psu_type: 'other' }, 'WRONG_REQUEST_PARAMETERS'],
      [{ auth_method: 'other' }, 'WRONG_REQUEST_PARAMETERS'],
    ] as const) {
      const answer = await call(simulator, 'POST', '/auth', asked(more));
      assert.deepEqual([answer.status, answer.body.error], [422, error]);
    }
  });

  it('opens a session for a code once', async (t) => {
    const simulator = await started(t);
    const { body } = await call(simulator, 'POST', '/auth', asked());
    const code = (await completeConsent(body.url)).searchParams.get('code');
    assert.equal((await call(simulator, 'POST', '/sessions', { code })).status, 200);
    assert.equal((await call(simulator, 'POST', '/sessions', { code })).body.error, 'ALREADY_AUTHORIZED');
    const wrong = await call(simulator, 'POST', '/sessions', { code: 'x' });
    assert.equal(wrong.body.error, 'WRONG_AUTHORIZATION_CODE');
  });

  it('names the accounts differently in every session, with the same hashes', async (t) => {
    const simulator = await started(t);
    const [one, other] = [await opened(simulator), await opened(simulator)];
    const of = (session: Json, member: string) => session.accounts.map((account: Json) => account[member]);
    assert.deepEqual(of(one, 'identification_hash'), of(other, 'identification_hash'));
    assert.notDeepEqual(of(one, 'uid'), of(other, 'uid'));
  });

  it('ends sessions at their time, on request, and for the bank, with a code for each', async (t) => {
    const at = { now: NOW };
    const simulator = await started(t, { at });
    const sessions = [await opened(simulator), await opened(simulator), await opened(simulator)];
    const [expired, closed, revoked] = sessions;
    assert.equal((await call(simulator, 'DELETE', `/sessions/${closed.session_id}`)).status, 200);
    simulator.control.revoke(revoked.session_id);
    at.now += 81 * DAY;
    const later = NOW / 1000 + 81 * 86_400;
    const token = await tokenOf({ iat: later, exp: later + 600 });
    for (const [session, error] of [
      [expired, 'EXPIRED_SESSION'],
      [closed, 'CLOSED_SESSION'],
      [revoked, 'REVOKED_SESSION'],
    ] as const) {
      const path = `/accounts/${session.accounts[0].uid}/balances`;
      const answer = await call(simulator, 'GET', path, undefined, token);
      assert.deepEqual([answer.status, answer.body.error], [401, error]);
    }
  });

  it('keeps sessions across a restart', async (t) => {
    const directory = await scratchDirectory();
    t.after(() => rm(directory, { recursive: true, force: true }));
    const stateFile = join(directory, 'state.json');
    const first = await started(t, { stateFile });
    const session = await opened(first);
    await first.close();
    const second = await started(t, { stateFile });
    const { body } = await call(second, 'GET', `/sessions/${session.session_id}`);
    assert.equal(body.status, 'AUTHORIZED');
    assert.deepEqual(
      body.accounts,
      session.accounts.map(({ uid }: Json) => uid),
    );
  });

  it('has exactly as many rows as a log-in says, in pages that end', async (t) => {
    const simulator = await started(t);
    const session = await opened(simulator, 'rows:250');
    const path = `/accounts/${session.accounts[0].uid}/transactions?date_from=2026-01-01`;
    const references = new Set<string>();
    let key: string | null = '';
    let pages = 0;
    for (; key !== null; pages++) {
      const { body }: { body: Json } = await call(
        simulator,
        'GET',
        key === '' ? path : `${path}&continuation_key=${key}`,
      );
      for (const row of body.transactions) references.add(row.entry_reference);
      key = body.continuation_key;
    }
    assert.deepEqual([references.size, pages], [250, 3]);
  });

  it('adds a pending row, books it and drops another', async (t) => {
    const simulator = await started(t);
    const { control } = simulator;
    const session = await opened(simulator, 'dormant');
    const uid: string = session.accounts[0].uid;
    const [booked = '', dropped = ''] = control.appendTransactions(uid, [
      { amount: '-1.00', description: 'A', status: 'PENDING' },
      { amount: '-2.00', description: 'B', status: 'PENDING' },
    ]);
    assert.deepEqual(control.rowsOf(uid), { booked: 0, pending: 2 });
    control.settle(booked);
    control.drop(dropped);
    assert.deepEqual(control.rowsOf(uid), { booked: 1, pending: 0 });
    assert.throws(() => control.settle(booked), ControlError);
  });

  it('knows every quirk that a bank may be given, and no other', async (t) => {
    const { control } = await started(t);
    control.setQuirks('FI:Kuura Bank', Object.keys(QUIRKS));
    assert.throws(() => control.setQuirks('FI:Kuura Bank', ['something']), ControlError);
    assert.throws(() => control.setQuirks('FI:None', []), ControlError);
  });
});
