import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sandboxBank } from '../../support/sandbox-bank.ts';
import { startService } from '../../support/service.ts';
import { linkAll } from '../../surfaces/v1/support/linked.ts';
import { v1Client } from '../../surfaces/v1/support/v1-client.ts';

test('a pause that a bank asked for lasts beyond a restart, for that account alone', async () => {
  let service = await startService({ LIMIT_TRANSACTIONS_CACHE_MINUTES: '0' });
  try {
    const [first, second] = [await service.owner(), await service.owner()];
    for (const owner of [first, second])
      await linkAll(service, owner, [{ provider: 'au_banking', customer: 'dormant' }]);
    const ask = async (owner: typeof first) => {
      const v1 = v1Client(service, owner);
      const [{ id, connectionId }] = (await v1('/accounts')).body.data;
      return v1(`/transactions?connectionId=${connectionId}&accountId=${id}`);
    };
    const route = 'GET /v1/banking/*';
    sandboxBank(service.app).addFault({ route, kind: 'rate-limit', count: 1, retryAfterSeconds: 85_092 });
    const refused = await ask(first);
    assert.equal(refused.status, 429);
    assert.equal(refused.headers.get('retry-after'), '85092');

    service = await service.restart();
    sandboxBank(service.app).addFault({ route, kind: 'server-error', count: 1000 });
    const paused = await ask(first);
    assert.equal(paused.status, 429, 'the bank was asked before its time');
    const left = Number(paused.headers.get('retry-after'));
    assert.ok(left > 84_000 && left <= 85_092, `${left} seconds`);
    assert.notEqual((await ask(second)).status, 429, 'one owner’s pause stopped another');
  } finally {
    await service.close();
  }
});
