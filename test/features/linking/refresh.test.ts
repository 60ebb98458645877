import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ShiftedClock } from '../../../src/platform/clock.ts';
import { sandboxBank } from '../../support/sandbox-bank.ts';
import { startService, type TestService } from '../../support/service.ts';
import { importedConnection, linkBank } from './person.ts';

const MINUTE_MS = 60_000;
/** A server counts turns by a clock of its own, which no test can move. */
const skip = (process.env.DATABASE_URL ?? '') !== '' && 'needs the clock of the embedded database';

describe('a refresh of a connection', () => {
  const clock = new ShiftedClock();
  let service: TestService;
  before(async () => {
    service = await startService({}, { clock });
  });
  after(() => service.close());

  async function linked() {
    const owner = await service.owner();
    const connection = await importedConnection(owner, await linkBank(owner, { customer: 'sole-trader' }));
    const account: string = connection.accounts[0].id;
    return {
      balance: async () => {
        const { status, body } = await owner.v2('GET', `/v2/accounts/${account}/balance`);
        assert.equal(status, 200);
        return body;
      },
      refresh: async () => {
        const { status, body } = await owner.v2('POST', `/v2/connections/${connection.id}/refresh`);
        assert.equal(status, 202);
        return body.reads;
      },
    };
  }

  test('has balances read again at the bank, and says so', async () => {
    const { balance, refresh } = await linked();
    const first = await balance();
    clock.advance(16 * MINUTE_MS);
    const cached = await balance();
    assert.deepEqual([cached.observed_at, cached.freshness], [first.observed_at, 'stale']);
    const asked = clock.now();
    const reads = await refresh();
    assert.equal(reads.purged, true);
    assert.ok(Date.parse(reads.purged_at) >= asked);
    assert.equal(Date.parse(reads.available_at) - Date.parse(reads.purged_at), 15 * MINUTE_MS);
    const again = await balance();
    assert.ok(Date.parse(again.observed_at) >= asked, 'observed after the refresh');
    assert.equal(again.freshness, 'fresh');
  });

  test('within 15 minutes of another leaves the bank alone, and says when it can be asked [limit live_balance_minutes]', {
    skip,
  }, async () => {
    const { balance, refresh } = await linked();
    const first = await refresh();
    const read = await balance();
    clock.advance(5 * MINUTE_MS);
    const control = sandboxBank(service.app);
    control.clearRequests();
    const second = await refresh();
    assert.deepEqual(
      [second.purged, second.purged_at.slice(0, 19), second.available_at.slice(0, 19)],
      [false, first.purged_at.slice(0, 19), first.available_at.slice(0, 19)],
    );
    assert.equal((await balance()).observed_at, read.observed_at);
    clock.advance(11 * MINUTE_MS);
    assert.equal((await refresh()).purged, true);
    assert.ok(Date.parse((await balance()).observed_at) > Date.parse(read.observed_at));
  });

  test('that could not tell the processes to purge has not taken the turn', async (t) => {
    const { refresh } = await linked();
    const { notices } = service.app;
    const publish = notices.publish.bind(notices);
    const failing = t.mock.method(notices, 'publish', async (...sent: Parameters<typeof publish>) => {
      if (sent.slice(1).some((notice) => 'kind' in notice && notice.kind === 'connection'))
        throw new Error('the database went away');
      await publish(...sent);
    });
    await assert.rejects(refresh);
    assert.ok(failing.mock.callCount() > 0);
    failing.mock.restore();
    assert.equal((await refresh()).purged, true);
    assert.equal((await refresh()).purged, false);
  });

  test('of one owner does not use up the turn of another', async () => {
    const [one, other] = [await linked(), await linked()];
    for (let asked = 0; asked < 5; asked += 1) await one.refresh();
    assert.equal((await other.refresh()).purged, true);
  });
});
