import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { publicId, rowId } from '../../../src/vocabulary/ids.ts';
import { commonService, type TestService } from '../../support/service.ts';
import { importedConnection, linkBank, RETURN_URL, startSession } from './person.ts';

const NOWHERE = '01234567-89ab-7cde-8f01-23456789abcd';

describe("What is linked is its owner's alone", () => {
  let service: TestService;
  before(async () => {
    service = await commonService();
  });
  after(() => service.close());

  it("answers another owner's id exactly as an id that never was", async () => {
    const owner = await service.owner();
    const stranger = await service.owner();
    const session = await startSession(owner);
    const connection = await importedConnection(owner, await linkBank(owner));
    const account = connection.accounts[0].id;
    const consent = connection.consent.id;
    const none = {
      session: publicId('link_session', rowId('link_session', NOWHERE)),
      connection: publicId('connection', rowId('connection', NOWHERE)),
      account: publicId('account', rowId('account', NOWHERE)),
      consent: publicId('consent', rowId('consent', NOWHERE)),
    };
    const asks: readonly [string, string, string, unknown?][] = [
      ['GET', `/v2/link_sessions/${session.id}`, `/v2/link_sessions/${none.session}`],
      ['GET', `/v2/connections/${connection.id}`, `/v2/connections/${none.connection}`],
      [
        'POST',
        `/v2/connections/${connection.id}`,
        `/v2/connections/${none.connection}`,
        { metadata: { a: 'b' } },
      ],
      [
        'POST',
        `/v2/connections/${connection.id}/reauthorize`,
        `/v2/connections/${none.connection}/reauthorize`,
        { return_url: RETURN_URL },
      ],
      ['DELETE', `/v2/connections/${connection.id}`, `/v2/connections/${none.connection}`],
      ['GET', `/v2/consents/${consent}`, `/v2/consents/${none.consent}`],
      ['GET', `/v2/consents?connection=${connection.id}`, `/v2/consents?connection=${none.connection}`],
      ['GET', `/v2/accounts/${account}`, `/v2/accounts/${none.account}`],
      ['GET', `/v2/accounts?connection=${connection.id}`, `/v2/accounts?connection=${none.connection}`],
    ];
    for (const [method, theirs, nobodys, body] of asks) {
      const foreign = await stranger.v2(method, theirs, body);
      const unknown = await stranger.v2(method, nobodys, body);
      assert.equal(foreign.status, 404, `${method} ${theirs}`);
      assert.equal(foreign.body.error.code, 'resource_missing');
      assert.deepEqual(
        { ...foreign.body.error, request_id: '' },
        { ...unknown.body.error, request_id: '' },
        `${method} ${theirs}`,
      );
    }
    for (const list of ['connections', 'consents', 'accounts']) {
      assert.deepEqual((await stranger.v2('GET', `/v2/${list}`)).body.data, []);
    }
    assert.deepEqual(await importedConnection(owner, connection.id), connection);
  });

  it('keeps the link of one person and the link of another at the same bank apart', async () => {
    const [first, second] = [await service.owner(), await service.owner()];
    const [a, b] = [await linkBank(first), await linkBank(second)];
    const [one, two] = [await importedConnection(first, a), await importedConnection(second, b)];
    const ids = new Set([...one.accounts, ...two.accounts].map((account: { id: string }) => account.id));
    assert.equal(ids.size, one.account_count + two.account_count);
  });

  it('lists connections by status and provider, and changes their metadata key by key', async () => {
    const owner = await service.owner();
    const first = await importedConnection(owner, await linkBank(owner));
    const second = await importedConnection(owner, await linkBank(owner, { at: 'inst_fk_90002' }));
    const ids = async (query: string) =>
      (await owner.v2('GET', `/v2/connections?${query}`)).body.data.map((item: { id: string }) => item.id);
    assert.deepEqual(await ids(''), [second.id, first.id]);
    assert.deepEqual(await ids('status[]=active&provider=au_banking'), [second.id, first.id]);
    assert.deepEqual(await ids('status[]=pending&status[]=expired'), []);
    assert.deepEqual(await ids('provider=brokerage'), []);
    assert.deepEqual(await ids('limit=1'), [second.id]);

    const path = `/v2/connections/${first.id}`;
    assert.deepEqual((await owner.v2('POST', path, { metadata: { a: '1', b: '2' } })).body.metadata, {
      a: '1',
      b: '2',
    });
    const patched = await owner.v2('PATCH', path, { metadata: { a: null, c: '3' } });
    assert.deepEqual(patched.body.metadata, { b: '2', c: '3' });
    const many = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`k${at}`, 'v']));
    assert.equal((await owner.v2('POST', path, { metadata: many })).body.error.code, 'parameter_invalid');
  });
});
