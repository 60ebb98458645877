import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { EVER, never, openGateway } from './open-gateway.ts';

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

describe('A stream of any length', () => {
  it('holds a few pages in memory, not all it has read', async () => {
    const test = await openGateway();
    try {
      const [account] = await test.link('rows:25000');
      assert.ok(account);
      const pages: WeakRef<object>[] = [];
      let rows = 0;
      for await (const page of test.gateway.transactions.stream(account, { ...EVER, since: null }, never)) {
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

  /** An id of each row alone would take three times the bound. `npm run bench -- --only paging` goes to ten million. */
  it('leaves nothing behind of the rows that went by: the heap after 80,000 is that after 20,000', async () => {
    const test = await openGateway();
    try {
      const [account] = await test.link('rows:80000');
      assert.ok(account);
      let rows = 0;
      let [early, late] = [0, 0];
      for await (const page of test.gateway.transactions.stream(account, { ...EVER, since: null }, never)) {
        rows += page.length;
        if (rows === 20_000) early = heapInUse();
        // While the read is under way: what it remembers is let go at its end.
        if (rows === 79_000) late = heapInUse();
      }
      assert.equal(rows, 80_000);
      const grown = (late - early) / (1024 * 1024);
      assert.ok(late > 0 && grown < 3, `59,000 rows more left ${grown.toFixed(1)} MiB`);
    } finally {
      await test.close();
    }
  });
});

function heapInUse(): number {
  collect();
  return process.memoryUsage().heapUsed;
}
