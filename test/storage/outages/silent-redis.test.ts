import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { openRedis } from '../../../src/platform/redis-client.ts';
import { withTimeout } from '../../../src/platform/with-timeout.ts';
import { startService } from '../../support/service.ts';
import { proxyTo } from '../../support/store-proxy.ts';
import { call } from './away.ts';

const redis = process.env.REDIS_URL ?? '';
const skip = redis === '' ? 'needs a Redis or Valkey server in REDIS_URL' : false;

describe('a Redis server that does not answer', { skip, timeout: 600_000 }, () => {
  for (const load of ['while nothing is asked', 'while it is asked all the time'] as const) {
    test(`gets another connection on its own, ${load}`, async (t) => {
      const proxy = await proxyTo(redis);
      const client = await openRedis(proxy.url, () => undefined);
      let asking = load === 'while it is asked all the time';
      const asked = (async () => {
        while (asking) {
          client.ping().catch(() => undefined);
          await pause(20);
        }
      })();
      t.after(async () => {
        asking = false;
        await asked;
        client.destroy();
        proxy.close();
      });
      proxy.silent = true;
      await pause(6_000);
      proxy.forget();
      proxy.silent = false;
      const began = performance.now();
      for (;;) {
        const answered = await withTimeout(client.ping(), 500).then(
          () => true,
          () => false,
        );
        if (answered) break;
        assert.ok(performance.now() - began < 60_000, 'no connection within a minute');
        await pause(100);
      }
      t.diagnostic(`recovered in ${((performance.now() - began) / 1000).toFixed(1)} s`);
    });
  }

  test('stops neither requests nor the process', async () => {
    const proxy = await proxyTo(redis);
    const service = await startService({ REDIS_URL: proxy.url, LIMIT_COUNT_STORE_DEADLINE_MS: '500' });
    const owner = await service.owner();
    proxy.silent = true;
    for (let asked = 0; asked < 5; asked++) {
      const answer = await owner.v2('GET', '/v2/api_keys');
      assert.equal(answer.status, 200);
    }
    assert.equal((await call(service, '/readyz')).status, 200);
    const began = performance.now();
    await service.close();
    assert.ok(performance.now() - began < 20_000);
    proxy.close();
  });
});
