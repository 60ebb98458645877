import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { LINKED_PROVIDERS } from '../../../src/vocabulary/provider-kinds.ts';
import { connectApp } from '../../support/bridge.ts';
import { startService, type TestOwner, type TestService } from '../../support/service.ts';
import type { Json } from '../../support/v2-client.ts';
import {
  type AccountAtDoors,
  bridgeDoor,
  type Door,
  type ToldRow,
  v1Door,
  v2Door,
  type Window,
  withoutPresentDays,
} from './support/doors.ts';
import { linkAll, SOMEBODY_EVERYWHERE } from './support/linked.ts';
import { v1Client } from './support/v1-client.ts';

const DAY_MS = 86_400_000;
const WINDOWS = 40;

/** Every door tells the same of an account: the same rows under the same ids, on the same days, to the cent. */
describe('all doors tell the same story, for accounts of every provider', () => {
  let service: TestService;
  let owner: TestOwner;
  let doors: readonly Door[];
  let banking: readonly AccountAtDoors[];
  let brokerage: readonly AccountAtDoors[];

  before(async () => {
    service = await startService();
    owner = await service.owner();
    await linkAll(service, owner, SOMEBODY_EVERYWHERE);
    const v1 = v1Client(service, owner);
    doors = [v1Door(v1), v2Door(owner)];
    const categories = new Map(
      (await v1('/connections')).body.data.map(({ id, category }: Json) => [id, category]),
    );
    const accounts = (await v1('/accounts?limit=200')).body.data;
    const of = (category: string): AccountAtDoors[] =>
      accounts
        .filter(({ connectionId }: Json) => categories.get(connectionId) === category)
        .map(({ id, connectionId, provider, currency }: Json) => ({
          uuid: id,
          connection: connectionId,
          provider,
          currency: currency.toLowerCase(),
        }));
    banking = of('banking');
    brokerage = of('brokerage');
    const providers = new Set([...banking, ...brokerage].map(({ provider }) => provider));
    assert.deepEqual([...providers].toSorted(), [...LINKED_PROVIDERS].toSorted());
  });
  after(() => service.close());

  /** What each door with the read says; compared with what the first says. */
  const agree = async <T>(
    read: (door: Door) => Promise<T> | undefined,
    asOther: (first: T, other: T) => T = (first) => first,
  ): Promise<T> => {
    const told = await Promise.all(
      doors.flatMap((door) => {
        const asked = read(door);
        return asked === undefined ? [] : [asked.then((said) => ({ door: door.name, said }))];
      }),
    );
    const [first, ...others] = told;
    assert.ok(first !== undefined && others.length > 0, 'there are doors to compare');
    for (const { door, said } of others)
      assert.deepEqual(said, asOther(first.said, said), `${door} against ${first.door}`);
    return first.said;
  };

  const windowOf = (pastDays: number, length: number, pending: boolean): Window => {
    const to = service.app.clock.now() - pastDays * DAY_MS;
    const day = (at: number): string => new Date(at).toISOString().slice(0, 10);
    return { from: day(to - length * DAY_MS), to: day(to), pending };
  };

  test('of balances', async () => {
    let amounts = 0;
    for (const account of banking) {
      const { current } = await agree((door) => door.balance?.(account));
      if (current !== null && current !== 0) amounts += 1;
    }
    assert.ok(amounts > 5, 'there is something to compare');
  });

  test('of transactions, in any window', async () => {
    let rows = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.nat({ max: 10_000 }),
        fc.nat({ max: 200 }),
        fc.nat({ max: 120 }),
        fc.boolean(),
        async (at, past, length, pending) => {
          const account = banking[at % banking.length] ?? assert.fail();
          const window = windowOf(past, length, pending);
          const told = await agree(
            (door) => door.transactions?.(account, window),
            (v1Rows, v2Rows) => withoutPresentDays(v1Rows, v2Rows, service.app.clock.now()),
          );
          rows += told.length;
        },
      ),
      { numRuns: WINDOWS },
    );
    assert.ok(rows > 100, `only ${rows} rows were compared`);
  });

  test('of posted transactions in any window, and of balances, the bridge tells it too', async () => {
    const bridge = bridgeDoor(await connectApp(service, owner), () => service.app.clock.now());
    doors = [...doors, bridge];
    let rows = 0;
    try {
      for (const account of banking) await agree((door) => door.balance?.(account));
      await fc.assert(
        fc.asyncProperty(
          fc.nat({ max: 10_000 }),
          fc.nat({ max: 200 }),
          fc.nat({ max: 60 }),
          async (at, past, length) => {
            const account = banking[at % banking.length] ?? assert.fail();
            const window = windowOf(past, length, false);
            rows += (await agree((door) => door.transactions?.(account, window).then(byId))).length;
          },
        ),
        { numRuns: WINDOWS },
      );
    } finally {
      doors = doors.filter((door) => door !== bridge);
    }
    assert.ok(rows > 100, `only ${rows} rows were compared`);
  });

  test('of transactions that are pending now, in every account', async () => {
    for (const account of banking)
      await agree(
        (door) => door.transactions?.(account, windowOf(-2, 40, true)),
        (v1Rows, v2Rows) => withoutPresentDays(v1Rows, v2Rows, service.app.clock.now()),
      );
  });

  test('of trades, in any window', async () => {
    let rows = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.nat({ max: 10_000 }),
        fc.nat({ max: 300 }),
        fc.nat({ max: 300 }),
        async (at, past, length) => {
          const account = brokerage[at % brokerage.length] ?? assert.fail();
          const told = await agree((door) =>
            door.trades?.(account, windowOf(past, length, false)).then(byId),
          );
          rows += told.length;
        },
      ),
      { numRuns: WINDOWS },
    );
    assert.ok(rows > 20, `only ${rows} trades were compared`);
  });

  test('of holdings', async () => {
    let rows = 0;
    for (const account of brokerage)
      rows += (await agree((door) => door.holdings?.(account).then(byId))).length;
    assert.ok(rows > 5, `only ${rows} positions were compared`);
  });
});

/** A row under the same id may be moved to another page by a moment; which day it is of may not. */
function byId(rows: readonly ToldRow[]): ToldRow[] {
  return rows.toSorted((a, b) => (a.id < b.id ? -1 : 1));
}
