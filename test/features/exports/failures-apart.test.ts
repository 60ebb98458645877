import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type AccountOutcome, jsonLinesApart } from '../../../src/features/exports/json-lines-export.ts';
import { fieldId } from '../../../src/operations/v2/schema/conventions.ts';
import { sandboxBank } from '../../support/sandbox-bank.ts';
import { startService, type TestService } from '../../support/service.ts';
import type { Json } from '../../support/v2-client.ts';
import { importedConnection, linkBank } from '../linking/person.ts';

let service: TestService;
before(async () => {
  service = await startService({ LIMIT_EXPORT_READS: '1' });
});
after(() => service.close());

describe('an export that reports failures', () => {
  const asked = { from: null, to: null, includePending: false, maxAgeMs: 3_600_000, failuresApart: true };
  const noSignal = new AbortController().signal;

  test('of one greedy owner holds few accounts at a time, however slowly its callers receive them [limit export_reads]', async () => {
    const [greedy, other] = [await service.owner(), await service.owner()];
    const { accounts: linked } = await importedConnection(greedy, await linkBank(greedy));
    const ids = linked.slice(0, 3).map(({ id }: Json) => fieldId('account', id, 'account'));
    assert.equal(ids.length, 3);
    const { exports, clock } = service.app.services;
    let [held, most] = [0, 0];
    const open = async () => {
      const rows = await exports.ofAccounts(greedy.record.id, ids, asked);
      const counted = rows.accounts.map((account) => ({
        ...account,
        pages: async function* (signal: AbortSignal) {
          held += 1;
          most = Math.max(most, held);
          try {
            yield* account.pages(signal);
          } finally {
            held -= 1;
          }
        },
      }));
      const timing = { clock, readDeadlineMs: 30_000 };
      const show = (outcome: AccountOutcome) => ({ ended: outcome.error === null });
      return jsonLinesApart({ ...rows, accounts: counted }, () => ({}), show, noSignal, timing);
    };
    const slow = await Promise.all([open(), open(), open()]);
    const pieces = await Promise.all(slow.map(async (text) => String((await text.next()).value)));
    assert.ok(most >= 3 && most <= 4, `${most} accounts were held: one an export, and one more`);
    const { takeTurn } = await exports.ofAccounts(greedy.record.id, ids, asked);
    for (const [at, text] of slow.entries()) for await (const piece of text) pieces[at] += piece;
    for (const text of pieces) assert.equal(text.match(/"ended":true/g)?.length, 3);
    assert.ok(most <= 4, `${most} accounts were held`);
    assert.ok(
      takeTurn() !== null && takeTurn() === null,
      'the turns were given back, and no more than those',
    );
    assert.equal((await other.v2('GET', '/v2/accounts')).status, 200);
  });

  for (const what of ['deletes the connection', 'opts out of caching'] as const) {
    test(`keeps nothing of an account that waited for its turn while the owner ${what}`, async () => {
      const person = await service.owner();
      const connection = await importedConnection(
        person,
        await linkBank(person, { customer: 'sole-trader' }),
      );
      const id = fieldId('account', String(connection.accounts[0].id), 'account');
      const { exports, accountRecords } = service.app.services;
      const { accounts: queued } = await exports.ofAccounts(person.record.id, [id], asked);
      const [account = assert.fail()] = queued;
      const control = sandboxBank(service.app);
      const read = async () => {
        control.clearRequests();
        for await (const page of account.pages(noSignal)) assert.ok(page.length > 0);
        return control.requests().length;
      };
      if (what === 'opts out of caching') {
        await accountRecords.update(person.record.id, { caching: false });
        assert.ok((await read()) > 0);
        assert.ok((await read()) > 0, 'it was not kept');
        return;
      }
      assert.equal((await person.v2('DELETE', `/v2/connections/${connection.id}`)).status, 200);
      await assert.rejects(read, { name: 'ServiceError' });
      assert.deepEqual(control.requests(), []);
    });
  }
});
