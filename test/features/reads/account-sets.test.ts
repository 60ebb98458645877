import assert from 'node:assert/strict';
import { after, before, describe, mock, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import type { AccountReading, AccountSetQuery } from '../../../src/features/reads/account-sets.ts';
import { parsePublicId } from '../../../src/vocabulary/ids.ts';
import { ServiceError } from '../../../src/vocabulary/service-error.ts';
import { withReadDeadline } from '../../support/read-deadline.ts';
import { sandboxBank } from '../../support/sandbox-bank.ts';
import { startService, type TestOwner, type TestService } from '../../support/service.ts';
import { importedConnection, linkBank, until } from '../linking/person.ts';

const DEADLINE_MS = 4000;
const HOUSEHOLDS = 9;
const QUERY: AccountSetQuery = {
  from: null,
  until: null,
  includePending: false,
  balancesOnly: true,
  accounts: null,
};

describe('The accounts of one answer', () => {
  let service: TestService;
  let owner: TestOwner;
  let accounts = 0;

  before(async () => {
    service = await startService();
    owner = await service.owner();
    for (let linked = 0; linked < HOUSEHOLDS; linked += 1) {
      const connection = await linkBank(owner, { customer: 'salaried-household' });
      accounts += (await importedConnection(owner, connection)).accounts.length;
    }
    assert.ok(accounts > 24, `${accounts} accounts are more than are read at once`);
  });
  after(() => service.close());

  const read = (signal: AbortSignal, query: Partial<AccountSetQuery> = {}) =>
    service.app.services.accountSets.read(owner.record.id, { ...QUERY, ...query }, signal);
  const hurried = <T>(work: () => Promise<T>) => withReadDeadline(service, DEADLINE_MS, work);
  const never = new AbortController().signal;
  const all = async (readings: AsyncIterable<AccountReading>): Promise<AccountReading[]> => {
    const taken: AccountReading[] = [];
    for await (const reading of readings) taken.push(reading);
    return taken;
  };

  test('come in the order of the accounts, each once', async () => {
    const set = await read(never);
    const taken = await all(set.readings);
    assert.deepEqual(
      taken.map(({ account }) => account.id),
      set.all.map(({ id }) => id),
    );
    assert.equal(taken.length, accounts);
    assert.ok(taken.every(({ balance, failure }) => balance !== null && failure === null));
  });

  test('leave out an account whose connection is deleted while the answer begins', async (t) => {
    const { db } = service.app.database;
    const connection = await linkBank(owner, { customer: 'sole-trader' });
    const { accounts: own } = await importedConnection(owner, connection);
    const { accounts: linked } = service.app.linking;
    const real = linked.atProviders.bind(linked);
    const listing = mock.method(linked, 'atProviders', async (...of: Parameters<typeof real>) => {
      const found = await real(...of);
      listing.mock.restore();
      const row = parsePublicId('connection', connection) ?? assert.fail();
      await db.deleteFrom('accounts').where('connection', '=', row).execute();
      return found;
    });
    t.after(() => listing.mock.restore());
    assert.ok(own.length > 0);
    assert.equal((await all((await read(never)).readings)).length, accounts);
    await owner.v2('DELETE', `/v2/connections/${connection}`);
  });

  test('are read a few at a time, however many there are and however long the bank takes', async () => {
    const bank = sandboxBank(service.app);
    await service.app.services.accountRecords.update(owner.record.id, { caching: true });
    bank.addFault({ route: 'GET /v1/banking/*', kind: 'hang', count: 1000 });
    bank.clearRequests();
    try {
      const taken = await hurried(async () => all((await read(never, { balancesOnly: false })).readings));
      const asked = bank.requests().filter(({ path }) => path.startsWith('/v1/banking/')).length;
      assert.ok(asked <= 2 * 24, `${asked} requests were under way`);
      assert.ok(taken.every(({ failure }) => failure !== null));
    } finally {
      bank.clearFaults();
    }
  });

  test('of a caller that takes them too slowly are not blamed on a bank', async () => {
    await hurried(async () => {
      const { readings } = await read(never);
      await readings.next();
      await wait(DEADLINE_MS + 200);
      await assert.rejects(all(readings), (error: unknown) => {
        return error instanceof ServiceError && error.code === 'upstream_timeout';
      });
    });
  });

  test('are not read any further once the caller has left', async () => {
    const bank = sandboxBank(service.app);
    await service.app.services.accountRecords.update(owner.record.id, { caching: true });
    const leaving = new AbortController();
    bank.addFault({ route: 'GET /v1/banking/*', kind: 'hang', count: 1000 });
    bank.clearRequests();
    try {
      const taking = all((await read(leaving.signal, { balancesOnly: false })).readings);
      await until(
        async () => bank.requests().length,
        (count) => count > 0,
      );
      leaving.abort();
      await assert.rejects(taking);
      const asked = bank.requests().length;
      await wait(500);
      assert.equal(bank.requests().length, asked);
    } finally {
      bank.clearFaults();
    }
  });
});
