import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type {
  DestinationConnector,
  ShownRow,
} from '../../../src/connectors/destinations/destination-contract.ts';
import type { SourceAccount, SyncSource } from '../../../src/features/sync-engine/read/sync-source.ts';
import type { OwnerId, RowId } from '../../../src/vocabulary/ids.ts';
import type { Transaction } from '../../../src/vocabulary/transactions.ts';
import { linkedDestination, syncTo } from '../../connectors/destinations/support/linked-world.ts';
import { posted } from './support/bank.ts';
import { verified } from './support/verification.ts';
import { closeDatabase, World } from './support/world.ts';

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');
after(closeDatabase);

const ROWS = 20_000;
const PAGE = 50;
const FIELDS = 14;
/** Of each row, with its id of 19 characters. */
const BYTES = 400;

/** The text alone of all rows takes 40 MB. */
const computed = (number: number): Transaction =>
  posted(number, { day: 45, description: `${number} `.padEnd(1000, 'é') });
const fieldsOf = ({ description }: Pick<Transaction, 'description'>) =>
  Object.fromEntries(Array.from({ length: FIELDS }, (_, at) => [`Field ${at}`, `${at} ${description}`]));

function* numbers(): Generator<readonly number[]> {
  for (let first = 0; first < ROWS; first += PAGE) {
    yield Array.from({ length: PAGE }, (_, at) => first + at);
  }
}

class ComputedBank implements SyncSource {
  readonly #bank: SyncSource;

  constructor(bank: SyncSource) {
    this.#bank = bank;
  }

  async open(owner: OwnerId, id: RowId<'account'>): Promise<SourceAccount> {
    return {
      ...(await this.#bank.open(owner, id)),
      pages: async function* () {
        for (const page of numbers()) {
          await new Promise((resolve) => setImmediate(resolve));
          yield page.map(computed);
        }
      },
    };
  }
}

function heapInUse(): number {
  collect();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

test('a verification remembers some hundred bytes of a row, whatever the row is', async () => {
  let before = 0;
  let during = 0;
  async function* rows(): AsyncGenerator<readonly ShownRow[]> {
    for (const page of numbers()) {
      yield page.map((number) => {
        const row = computed(number);
        return { keys: [row.id], where: 'there', values: fieldsOf(row) };
      });
    }
    during = heapInUse();
  }
  const connector: DestinationConnector = {
    type: 'sheets',
    afterUnknown: 'resend',
    chunkRows: 100,
    chunkBytes: 1_000_000,
    open: async () => ({
      encode: (row) => (row.kind === 'transaction' ? row.transaction.description : ''),
      write: async () => assert.fail('it writes nothing'),
      reading: { shown: (description) => fieldsOf({ description }), keysOf: (id) => [id], rows },
      close: async () => undefined,
    }),
  };
  const world = await World.open({ connector });
  world.source = new ComputedBank(world.bank);
  const destination = await linkedDestination(world, 'sheets', 'grant', { spreadsheet_id: 'x' });
  const sync = await syncTo(world, destination, [world.account()]);
  await verified(world, sync);
  // The least of up to three: whatever else the process does at that moment only adds to it.
  let each = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 3 && each >= BYTES; round++) {
    before = heapInUse();
    const said = await verified(world, sync);
    assert.deepEqual([said.counts.alike, said.problems], [ROWS, []]);
    each = Math.min(each, (during - before) / ROWS);
  }
  assert.ok(each > 0 && each < BYTES, `${each.toFixed(0)} bytes of each row`);
});
