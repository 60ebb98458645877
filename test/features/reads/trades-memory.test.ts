import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { BrokerageReads } from '../../../src/features/reads/brokerage-reads.ts';
import type { Trade } from '../../../src/vocabulary/holdings.ts';
import { DEFAULT_LIMITS } from '../../../src/vocabulary/limits.ts';
import { openBroker, type TradePages, trade } from '../provider-gateway/open-broker.ts';
import { never } from '../provider-gateway/open-gateway.ts';

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

const PAGES = 200;
const PAGE_ROWS = 50;
const LIMIT = 20;

describe('A page of trades', () => {
  it('is read from a window of any length in the memory of a page, whichever end of it is asked for', async () => {
    const sent: WeakRef<Trade>[] = [];
    let alive = Number.POSITIVE_INFINITY;
    const pages: TradePages = async function* () {
      for (let page = 0; page < PAGES; page++) {
        // Made apart from this function, whose frame would hold the last page.
        yield pageOf(page, sent);
        await new Promise((resolve) => setImmediate(resolve));
      }
      collect();
      alive = sent.filter((row) => row.deref() !== undefined).length;
    };
    const { gateway, account, clock } = openBroker(pages);
    const reads = new BrokerageReads({
      accounts: { resolve: async () => ({ gateway: account }) },
      gateway,
      clock,
      limits: DEFAULT_LIMITS,
    });
    const query = { account: account.id, from: '2026-01-01', to: null };
    const oldest = { by: '2000-01-01', id: '' };
    for (const [before, first, last] of [
      [null, 'trd_st_0-9', 'trd_st_0-36'],
      [oldest, 'trd_st_199-26', 'trd_st_199-0'],
    ] as const) {
      sent.length = 0;
      const { owner } = account.connection;
      const page = await reads.trades(owner, query, { limit: LIMIT, after: null, before }, never);
      assert.equal(sent.length, PAGES * PAGE_ROWS);
      assert.deepEqual([page.rows[0]?.id, page.rows.at(-1)?.id, page.rows.length], [first, last, LIMIT]);
      assert.deepEqual([page.hasMore, page.hasPrevious], [before === null, before !== null]);
      assert.ok(alive <= LIMIT + 1 + 2 * PAGE_ROWS, `${alive} of ${sent.length} trades are still held`);
    }
  });
});

function pageOf(page: number, sent: WeakRef<Trade>[]): Trade[] {
  const rows = Array.from({ length: PAGE_ROWS }, (_, at) => ({ ...trade(page), id: `trd_st_${page}-${at}` }));
  for (const row of rows) sent.push(new WeakRef(row));
  return rows;
}
