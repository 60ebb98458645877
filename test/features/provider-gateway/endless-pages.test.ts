import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { ProviderAccess } from '../../../src/connectors/providers/provider-contract.ts';
import { MemoryCache } from '../../../src/features/provider-gateway/memory-cache.ts';
import { ProviderGateway } from '../../../src/features/provider-gateway/provider-gateway.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import { createLog } from '../../../src/platform/log.ts';
import { Metrics } from '../../../src/platform/metrics.ts';
import { newRowId } from '../../../src/platform/row-id.ts';
import { rowId } from '../../../src/vocabulary/ids.ts';
import { DEFAULT_LIMITS, type Limits } from '../../../src/vocabulary/limits.ts';
import { localDate } from '../../../src/vocabulary/moments.ts';
import { immediateClock } from '../../connectors/providers/au-banking-bank.ts';
import {
  GRANT,
  json,
  type Script,
  wireRow,
  withScriptedVendor,
} from '../../connectors/providers/scripted-vendor.ts';
import { all, never } from './open-gateway.ts';
import { code } from './service-code.ts';

const WINDOW = { from: localDate('2026-01-01'), to: localDate('2026-01-31'), includePending: false };

const id = () => newRowId(systemClock);

function accountOf(grant: ProviderAccess) {
  return {
    id: rowId('account', id()),
    upstreamId: 'acc-1',
    type: 'transaction' as const,
    balanceSign: null,
    timezone: 'Australia/Sydney',
    currency: 'aud',
    connection: {
      id: rowId('connection', id()),
      owner: rowId('account_record', id()),
      provider: 'au_banking' as const,
      institution: 'Endless Bank',
      grant,
      caching: true,
    },
  };
}

/** A bank whose next page is always there. `row`: the members of a row of a page. */
const endless =
  (perPage: number, row: (url: URL) => Record<string, unknown> = () => ({})): Script =>
  (url) => {
    if (url.pathname !== '/v1/banking/transactions') return null;
    const page = Number(url.searchParams.get('page[after]') ?? 0);
    const transactions = Array.from({ length: perPage }, (_, at) => wireRow(`r${page}-${at}`, row(url)));
    return json({ transactions, links: { next: `https://vendor.test/?page[after]=${page + 1}` } });
  };

interface Met {
  readonly gateway: ProviderGateway;
  readonly account: ReturnType<typeof accountOf>;
  /** Requests for a page of transactions. */
  readonly pages: () => number;
}

async function meet(
  script: Script,
  limits: Partial<Limits>,
  body: (met: Met) => Promise<void>,
): Promise<void> {
  await withScriptedVendor(
    script,
    async ({ provider, asked }) => {
      const gateway = new ProviderGateway({
        providers: new Map([['au_banking' as const, provider]]),
        cache: new MemoryCache(immediateClock, { bytes: 0, ownerBytes: 0 }),
        limits: { ...DEFAULT_LIMITS, ...limits },
        clock: systemClock,
        log: createLog({ level: 'silent' }),
        metrics: new Metrics(),
      });
      const pages = () => asked.filter((url) => url.pathname.endsWith('/transactions')).length;
      await body({ gateway, account: accountOf(GRANT), pages });
    },
    immediateClock,
    limits,
  );
}

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

async function heapInUse(): Promise<number> {
  await setImmediate();
  collect();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

describe('A bank whose pages of transactions do not end', () => {
  it('is given up by a sync after so many rows [limit read_rows]', async () => {
    await meet(endless(10), { read_rows: 50 }, async ({ gateway, account, pages }) => {
      const rows: string[] = [];
      const read = async () => {
        for await (const page of gateway.transactions.stream(account, { ...WINDOW, since: null }, never))
          for (const row of page) rows.push(row.id);
      };
      await code(read(), 'upstream_failed');
      assert.deepEqual([rows.length, pages()], [50, 6]);
    });
  });

  it('is given up after so many pages [limit read_pages]', async () => {
    await meet(endless(1), { read_pages: 7 }, async ({ gateway, account, pages }) => {
      await code(
        all(gateway.transactions.stream(account, { ...WINDOW, since: null }, never)),
        'upstream_failed',
      );
      assert.equal(pages(), 8);
      await code(gateway.transactions.list(account, WINDOW, never), 'upstream_failed');
    });
  });

  it('is given up after so many pages in a row without a row that was asked for [limit read_idle_pages]', async () => {
    const outside = () => ({ posting_date_time: '2024-06-01T03:00:00Z' });
    await meet(endless(5, outside), { read_idle_pages: 4 }, async ({ gateway, account, pages }) => {
      await code(
        all(gateway.transactions.stream(account, { ...WINDOW, since: null }, never)),
        'upstream_failed',
      );
      assert.equal(pages(), 5);
      await code(gateway.transactions.list(account, WINDOW, never), 'upstream_failed');
    });
  });

  it('is given up after so many pending rows [limit pending_rows]', async () => {
    const pending = (url: URL) => ({ status: url.searchParams.get('status') ?? 'POSTED' });
    const window = { ...WINDOW, includePending: true, since: null };
    await meet(endless(10, pending), { pending_rows: 20 }, async ({ gateway, account, pages }) => {
      await code(all(gateway.transactions.stream(account, window, never)), 'upstream_failed');
      assert.equal(pages(), 3);
    });
  });

  it('costs the memory of a page or two, however many it sends', async () => {
    await meet(endless(1000), { read_rows: 60_000 }, async ({ gateway, account }) => {
      let rows = 0;
      const [early, late]: [number[], number[]] = [[], []];
      const read = async () => {
        for await (const page of gateway.transactions.stream(account, { ...WINDOW, since: null }, never)) {
          rows += page.length;
          // While the read is under way: what it remembers is let go at its end.
          if (rows > 5_000 && rows <= 10_000) early.push(await heapInUse());
          if (rows > 50_000 && rows < 60_000) late.push(await heapInUse());
        }
      };
      await code(read(), 'upstream_failed');
      assert.equal(rows, 60_000);
      // The least of several: a page in flight, or an answer that waits to be collected, counts in one of them only.
      const grown = (Math.min(...late) - Math.min(...early)) / (1024 * 1024);
      assert.ok(late.length > 5 && grown < 8, `45,000 rows more took ${grown.toFixed(1)} MiB`);
    });
  });
});
