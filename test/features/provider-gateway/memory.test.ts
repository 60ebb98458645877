import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { EVER, never, openGateway } from './open-gateway.ts';

it('A stream of any length holds a few pages in memory, not all it has read', async () => {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  const test = await openGateway();
  try {
    const [account] = await test.link('rows:25000');
    assert.ok(account);
    const pages: WeakRef<object>[] = [];
    let rows = 0;
    for await (const page of test.gateway.streamTransactions(account, { ...EVER, since: null }, never)) {
      rows += page.length;
      pages.push(new WeakRef(page));
      await new Promise((resolve) => setImmediate(resolve));
    }
    collect();
    assert.equal(rows, 25_000);
    const alive = pages.filter((page) => page.deref() !== undefined).length;
    assert.ok(pages.length >= 25 && alive <= 4, `${alive} of ${pages.length} pages are still held`);
  } finally {
    await test.close();
  }
});
