import assert from 'node:assert/strict';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { after, before, describe, it } from 'node:test';
import { connectionId } from '../../../sandbox/nz-banking/banks.ts';
import {
  isOwnState,
  signalsOf,
  stateFor,
  userOfState,
} from '../../../src/connectors/providers/nz-banking/webhooks.ts';
import type { ProviderSignal, ProviderWebhook } from '../../../src/connectors/providers/provider-contract.ts';
import { UpstreamFailure } from '../../../src/vocabulary/upstream-failures.ts';
import { type NzBankingBank, openNzBanking } from './nz-banking-bank.ts';
import { fails } from './provider-contract.ts';

const never = new AbortController().signal;
const HOUR = 3_600_000;

/** Takes what the vendor sends, as it was sent. */
class Inbox {
  readonly received: ProviderWebhook[] = [];
  readonly #server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(Buffer.from(chunk));
    this.received.push({ body: Buffer.concat(chunks), headers: texts(request.headers) });
    response.writeHead(this.status).end();
  });
  status = 200;

  async open(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    const address = this.#server.address();
    assert.ok(address !== null && typeof address === 'object');
    return `http://127.0.0.1:${address.port}/provider-webhooks/nz_banking`;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}

function texts(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  );
}

function userOf({ body }: ProviderWebhook): string {
  return userOfState(JSON.parse(Buffer.from(body).toString()).state);
}

describe('A notification of Akahu', () => {
  const inbox = new Inbox();
  let bank: NzBankingBank;
  before(async () => {
    bank = await openNzBanking({ webhookUrl: await inbox.open() });
  });
  after(async () => {
    await bank.shut();
    inbox.close();
  });

  /** What was sent while `work` was done. */
  const sentBy = async (work: () => void | Promise<void>): Promise<ProviderWebhook[]> => {
    inbox.received.length = 0;
    await work();
    await bank.simulator.notified();
    return [...inbox.received];
  };
  const read = (sent: ProviderWebhook, provider = bank.provider) => provider.receiveWebhook(sent, never);
  const somebody = async (customer: string) => {
    const [access] = await bank.link(customer);
    assert.ok(access);
    const [account] = await bank.provider.listAccounts(access, never);
    assert.ok(account);
    return { access, account: account.id };
  };
  const named = (sent: ProviderWebhook, id: number): ProviderWebhook => ({
    ...sent,
    headers: { ...sent.headers, 'x-akahu-signing-key': String(id) },
  });
  /** Made up by someone who knows the user's id and saw no notification. */
  const forged = (sent: ProviderWebhook, id: number): ProviderWebhook => ({
    headers: { ...sent.headers, 'x-akahu-signing-key': String(id) },
    body: Buffer.from(JSON.stringify({ webhook_type: 'TOKEN', webhook_code: 'DELETE', state: userOf(sent) })),
  });
  /** As Akahu signs what was subscribed to before states carried a proof. */
  const withoutProof = (sent: ProviderWebhook): ProviderWebhook => {
    const said = JSON.parse(Buffer.from(sent.body).toString());
    const body = JSON.stringify({ ...said, state: userOf(sent) });
    return {
      body: Buffer.from(body),
      headers: { ...sent.headers, 'x-akahu-signature': bank.simulator.control.signed(body) },
    };
  };
  const newRow = async (account: string): Promise<ProviderWebhook> => {
    const [sent] = await sentBy(() => {
      bank.simulator.control.appendTransactions(account, [{ amount: '-1.00', description: 'Coffee' }]);
    });
    return sent ?? assert.fail('nothing was sent');
  };

  it('is subscribed to once for a user, however often they sign in', async () => {
    const { account } = await somebody('dormant+sub');
    await bank.link('dormant+sub');
    const sent = await sentBy(() => {
      bank.simulator.control.appendTransactions(account, [{ amount: '-1.00', description: 'Coffee' }]);
    });
    assert.equal(sent.length, 1);
  });

  it('says which account has new rows, and says it again when it comes again', async () => {
    const { account } = await somebody('dormant+rows');
    const sent = await newRow(account);
    const signals = [{ about: { kind: 'account', id: account }, what: 'data_changed' }];
    assert.deepEqual(await read(sent), signals);
    assert.deepEqual(await read(sent), signals);
  });

  it('counts only with the vendor’s signature over its very bytes', async () => {
    const { account } = await somebody('dormant+forged');
    const sent = await newRow(account);
    const changed = Buffer.from(sent.body);
    changed[changed.length - 2] = 0x20;
    const { 'x-akahu-signature': signature = '', ...unsigned } = sent.headers;
    const changes: readonly ProviderWebhook[] = [
      { ...sent, body: changed },
      { ...sent, body: new Uint8Array() },
      { ...sent, headers: unsigned },
      { ...sent, headers: { ...sent.headers, 'x-akahu-signature': '' } },
      { ...sent, headers: { ...sent.headers, 'x-akahu-signature': 'AAAA' } },
      { ...sent, headers: { ...unsigned, 'x-akahu-signature': signature.slice(4) } },
      { ...sent, headers: { ...unsigned, 'x-akahu-signature': `${signature}, ${signature}` } },
      { ...sent, headers: { ...unsigned, 'x-akahu-signature': 'A'.repeat(100_000) } },
      { ...sent, headers: { 'x-akahu-signature': signature } },
      ...['', '0', '-1', '1e3', '../me', '999999999', '12345678901'].map((id) => ({
        ...sent,
        headers: { ...sent.headers, 'x-akahu-signing-key': id },
      })),
    ];
    for (const one of changes) assert.equal(await read(one), null, JSON.stringify(one.headers));
    assert.equal((await read(sent))?.length, 1);
  });

  it('is verified with a key that is kept for a day, and with the next one once the vendor signs with it', async () => {
    const { account } = await somebody('dormant+keys');
    const keys = () =>
      bank.simulator.control.requests().filter(({ path }) => path.startsWith('/v1/keys/')).length;
    const first = await newRow(account);
    await read(first);
    bank.simulator.control.clearRequests();
    await read(first);
    assert.equal(keys(), 0);
    bank.clock.advance(25 * HOUR);
    await read(first);
    assert.equal(keys(), 1);
    bank.simulator.control.rotateKey();
    const next = await newRow(account);
    assert.equal((await read(next))?.length, 1);
    assert.equal(await read(first), null, 'the key before was replaced');
    assert.equal((await read(next))?.length, 1);
  });

  it('is verified at once after a restart while a stranger makes up keys, which cost the vendor a few calls a minute', async () => {
    const { account } = await somebody('dormant+flood');
    const sent = await newRow(account);
    const restarted = bank.adapter({});
    bank.simulator.control.clearRequests();
    for (let id = 900_000_000; id < 900_000_010; id++)
      assert.equal(await read(forged(sent, id), restarted), null);
    for (let id = 900_000_010; id < 900_000_040; id++)
      await fails(read(forged(sent, id), restarted), 'pool_full');
    assert.equal(bank.simulator.control.requests().length, 10);
    assert.equal((await read(sent, restarted))?.length, 1, 'it carries a state that no stranger can write');
    assert.equal(bank.simulator.control.requests().length, 11);
    bank.clock.advance(60_001);
    assert.equal(await read(forged(sent, 900_000_041), restarted), null);
    assert.equal((await read(sent, restarted))?.length, 1, 'a key that verified nothing shuts out none');
  });

  it('of a subscription without a proof is asked to come again during such a flood, and is verified after it', async () => {
    const { account } = await somebody('dormant+older');
    const sent = withoutProof(await newRow(account));
    const restarted = bank.adapter({});
    for (let id = 905_000_000; id < 905_000_010; id++)
      assert.equal(await read(forged(sent, id), restarted), null);
    await fails(read(sent, restarted), 'pool_full');
    bank.clock.advance(60_001);
    assert.equal((await read(sent, restarted))?.length, 1);
  });

  it('is verified while many of strangers arrive at once, of which few may wait for the vendor', async () => {
    const { account } = await somebody('dormant+hang');
    const sent = await newRow(account);
    const restarted = bank.adapter({});
    const strangers = Array.from({ length: 20 }, () =>
      read(forged(sent, 930_000_000), restarted).then(
        () => 'answered',
        (error: unknown) => (error instanceof UpstreamFailure ? error.situation : 'failed'),
      ),
    );
    assert.equal((await read(sent, restarted))?.length, 1);
    const refused = (await Promise.all(strangers)).filter((outcome) => outcome === 'pool_full');
    assert.equal(refused.length, 16);
  });

  it('with a proof under another secret or for another user is one of a stranger', () => {
    const state = stateFor('user_1', 'a secret');
    assert.equal(userOfState(state), 'user_1');
    assert.equal(isOwnState(state, 'a secret'), true);
    for (const other of [
      '',
      'user_1',
      state.slice(0, -1),
      `${state}x`,
      state.replace('user_1', 'user_2'),
      '.',
    ])
      assert.equal(isOwnState(other, 'a secret'), false, other);
    assert.equal(isOwnState(state, 'another secret'), false);
    assert.equal(isOwnState(state, null), false);
    assert.equal(stateFor('user_1', null), 'user_1');
    assert.equal(userOfState('user_1'), 'user_1');
  });

  it('is verified while strangers make up keys without end: the key in use, its renewal and the one after it', async () => {
    const { account } = await somebody('dormant+steady');
    // Without a proof: with one, it is verified whatever its key is.
    const sent = withoutProof(await newRow(account));
    const fresh = bank.adapter({});
    const flood = async () => {
      for (let id = 910_000_000; id < 910_000_010; id++)
        assert.equal(await read(forged(sent, id), fresh), null);
      await fails(read(forged(sent, 910_000_011), fresh), 'pool_full');
    };
    assert.equal((await read(sent, fresh))?.length, 1);
    bank.clock.advance(23 * HOUR);
    assert.equal((await read(sent, fresh))?.length, 1);
    bank.clock.advance(23 * HOUR);
    bank.simulator.control.clearRequests();
    assert.equal((await read(sent, fresh))?.length, 1);
    assert.deepEqual(bank.simulator.control.requests(), [], 'each notification keeps its key for a day');
    bank.clock.advance(25 * HOUR);
    await flood();
    assert.equal((await read(sent, fresh))?.length, 1);
    await fails(read(forged(sent, 910_000_012), fresh), 'pool_full');
    bank.simulator.control.rotateKey();
    const next = withoutProof(await newRow(account));
    assert.equal((await read(next, fresh))?.length, 1, 'the next key');
  });

  it('is verified with the key in use while the vendor cannot be asked about it, until it says that it is gone', async () => {
    const { account } = await somebody('dormant+trouble');
    const sent = await newRow(account);
    const fresh = bank.adapter({});
    assert.equal((await read(sent, fresh))?.length, 1);
    bank.clock.advance(25 * HOUR);
    bank.simulator.control.addFault({ route: 'GET /v1/keys/*', kind: 'server-error', count: 100 });
    assert.equal((await read(sent, fresh))?.length, 1);
    bank.simulator.control.clear();
    bank.clock.advance(25 * HOUR);
    bank.simulator.control.rotateKey();
    assert.equal(await read(sent, fresh), null);
    bank.simulator.control.addFault({ route: 'GET /v1/keys/*', kind: 'server-error', count: 100 });
    bank.clock.advance(60_001);
    await fails(read(sent, fresh), 'server_error');
    bank.simulator.control.clear();
  });

  it('that names the same unknown key again costs the vendor no second call within a minute', async () => {
    const { account } = await somebody('dormant+same');
    const sent = await newRow(account);
    const fresh = bank.adapter({});
    bank.simulator.control.clearRequests();
    for (let turn = 0; turn < 15; turn++) {
      assert.equal(await read(named(sent, 920_000_000), fresh), null);
      assert.equal(await read(forged(sent, 920_000_000), fresh), null);
    }
    assert.equal(bank.simulator.control.requests().length, 1);
  });

  it('tells of logins and tokens that ended, and of accounts that came, went and moved', async () => {
    const { control } = bank.simulator;
    const all = async (work: () => void | Promise<void>): Promise<ProviderSignal[]> => {
      const found: ProviderSignal[] = [];
      for (const sent of await sentBy(work)) found.push(...((await read(sent)) ?? assert.fail('unsigned')));
      return found;
    };
    const { access, account } = await somebody('three-banks+news');
    const about = { kind: 'account', id: account } as const;
    assert.deepEqual(await all(() => control.setLogin(access.consent, false)), [
      { about, what: 'data_changed' },
      { about, what: 'login_lost' },
    ]);
    const moved = await all(() => {
      control.migrate(access.consent);
    });
    assert.deepEqual(moved[0], { about, what: 'accounts_changed' });
    assert.equal(moved.length, 2);
    const others = await bank.link('three-banks+news');
    const other = others.find(({ institution }) => institution === connectionId('kauri', false));
    const gone = await all(() => control.revokeAuthorisation(other?.consent ?? ''));
    assert.deepEqual(gone.map(({ what }) => what).toSorted(), [
      'accounts_changed',
      'accounts_changed',
      'ended',
      'ended',
    ]);
    assert.deepEqual(await all(() => control.revokeUser(access.customer)), [
      { about: { kind: 'customer', id: access.customer }, what: 'ended' },
    ]);
  });

  it('says nothing to us where Akahu signed no JSON object, or one beyond the bounds of an answer', async () => {
    const { account } = await somebody('dormant+odd');
    const { headers } = await newRow(account);
    for (const text of [
      'null',
      '[]',
      '{"webhook_type":',
      Buffer.from('{"webhook_type":"TOKEN","webhook_code":"DELETE","state":"\xff"}', 'latin1'),
      `${'['.repeat(50_000)}${']'.repeat(50_000)}`,
      `[${'0,'.repeat(200_000)}0]`,
    ]) {
      const signature = bank.simulator.control.signed(text);
      const sent = { body: Buffer.from(text), headers: { ...headers, 'x-akahu-signature': signature } };
      assert.deepEqual(await read(sent), []);
    }
  });

  it('says nothing to us where it is about something else, or is no notification at all', () => {
    for (const said of [
      {},
      { webhook_type: 'TRANSFER', webhook_code: 'RECEIVED', item_id: 'x' },
      { webhook_type: 'PAYMENT', webhook_code: 'UPDATE', item_id: 'x' },
      { webhook_type: 'TRANSACTION', webhook_code: 'WEBHOOK_CANCELLED', state: 'user_1' },
      { webhook_type: 'TOKEN', webhook_code: 'WEBHOOK_CANCELLED', state: 'user_1' },
      { webhook_type: 'ACCOUNT', webhook_code: 'UPDATE' },
      { webhook_type: 'TRANSACTION', webhook_code: 'DEFAULT_UPDATE' },
      { webhook_type: 7, webhook_code: null },
    ])
      assert.deepEqual(signalsOf(said), [], JSON.stringify(said));
  });

  it('is sent again while it is not received, and can be looked up afterwards', async () => {
    const { account } = await somebody('dormant+away');
    inbox.status = 503;
    const sent = await sentBy(() => {
      bank.simulator.control.appendTransactions(account, [{ amount: '-1.00', description: 'Coffee' }]);
    });
    inbox.status = 200;
    assert.equal(sent.length, 3);
    assert.equal(bank.simulator.control.notifications().at(-1)?.status, 'FAILED');
  });

  it('that cannot be subscribed to hinders no link', async () => {
    const silent = await openNzBanking();
    try {
      assert.equal((await silent.link('dormant')).length, 1);
    } finally {
      await silent.shut();
    }
  });
});
