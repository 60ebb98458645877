import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { OPERATIONS } from '../../../src/operations/operation-table.ts';
import { pathOf, takesBody } from '../../conformance/asks.ts';
import { bodyOf } from '../../conformance/inputs.ts';
import { makeThings, type Things } from '../../conformance/things.ts';
import { startWithVendor } from '../../connectors/destinations/support/linked.ts';
import type { Vendor } from '../../connectors/destinations/support/vendor.ts';
import { importedConnection, linkBank } from '../../features/linking/person.ts';
import type { TestService } from '../../support/service.ts';
import { slowness } from '../../support/slowness.ts';
import { THOROUGH } from '../../support/thorough.ts';
import { bodyWith, heavyValues, unbounded } from './heavy-bodies.ts';

/** Of processor time, the caller's share in this very process included. */
const MOST_MS = 50;
const TRIES = 10;
/** So many of the operations with a body are left to .ci/run: those of one resource share most of a body. */
const STEP = THOROUGH ? 1 : 2;

/** Walks the operation table, so an operation that is added is held to the same. */
describe('no body, whatever it holds, keeps the process busy', () => {
  let service: TestService;
  let vendor: Vendor;
  let things: Things;
  before(async () => {
    ({ service, vendor } = await startWithVendor({ ROLES: 'api', LIMIT_API_KEYS: '1000' }));
    const owner = await service.owner();
    const connection = await importedConnection(owner, await linkBank(owner));
    const [account] = connection.accounts.map((one: { readonly id: string }) => one.id);
    const consent = connection.consent.id;
    things = await makeThings(
      { ...owner, connection: connection.id, consent, account, accounts: [account] },
      service,
    );
  });
  after(async () => {
    await service.close();
    await vendor.close();
  });

  /** Processor time of one answer, the least of a few: the machine does other things, too. */
  async function leastMs(method: string, path: string, body?: string): Promise<number> {
    let least = Number.POSITIVE_INFINITY;
    for (let tried = 0; tried < TRIES && least > MOST_MS; tried++) {
      const before = process.cpuUsage();
      const { status } = await things.owner.v2(method, path, body, { 'idempotency-key': `heavy ${tried}` });
      const { user, system } = process.cpuUsage(before);
      assert.ok(status < 500, `status ${status}`);
      least = Math.min(least, (user + system) / 1000);
    }
    return least;
  }

  /** More than the bar, and not only because the machine is busy. */
  const tooMuch = (ms: number): boolean => ms > MOST_MS && ms > MOST_MS * slowness();

  for (const operation of OPERATIONS.filter(takesBody).filter((_, at) => at % STEP === 0)) {
    test(operation.id, { timeout: 300_000 }, async () => {
      const path = pathOf(operation, things.ids);
      await things.owner.v2(operation.method, path, bodyOf(operation, things.ids));
      for (const heavy of heavyValues(operation.body)) {
        const body = JSON.stringify(bodyWith(operation.body, heavy));
        if (Buffer.byteLength(body) > 65_536) continue;
        const ms = await leastMs(operation.method, path, body);
        assert.ok(!tooMuch(ms), `${heavy.path.join('.')}: ${heavy.shape} took ${Math.round(ms)} ms`);
      }
    });
  }

  test('nor does a query', { timeout: 600_000 }, async () => {
    for (const operation of OPERATIONS) {
      for (const name of ['include', ...Object.keys(operation.query.properties)]) {
        for (const pair of [`${name}=x&`, `${name}[]=active&`]) {
          const query = pair.repeat(12_000 / pair.length);
          const ms = await leastMs(operation.method, `${pathOf(operation, things.ids)}?${query}`);
          assert.ok(!tooMuch(ms), `${operation.id}: ${pair} took ${Math.round(ms)} ms`);
        }
      }
    }
  });
});

test('every text, list and object that a body may hold has a bound in its schema', () => {
  const found = OPERATIONS.flatMap(({ id, body }) => unbounded(body, id));
  assert.deepEqual(found, []);
});
