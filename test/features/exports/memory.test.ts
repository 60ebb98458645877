import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Exports } from '../../../src/features/exports/exports.ts';
import { plainRow } from '../../../src/features/sync-engine/read/source-row.ts';
import type { SourceAccount, SyncSource } from '../../../src/features/sync-engine/read/sync-source.ts';
import { EXPORT_FORMATS, type ExportFormat, exportAnswer } from '../../../src/operations/v2/exports.ts';
import type { OwnerId, RowId } from '../../../src/vocabulary/ids.ts';
import type { Transaction } from '../../../src/vocabulary/transactions.ts';
import { posted } from '../sync-engine/support/bank.ts';
import { closeDatabase, World } from '../sync-engine/support/world.ts';

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');
after(closeDatabase);

const PAGE = 50;
const ROWS = 20_000;
/** Text of all rows together: 40 MB in memory, and more once written. */
const CHARACTERS = 1000;
/** What an export may hold beyond what it held after its first pages: far below the text of the rows. */
const MOST_BYTES = 3_000_000;

const computed = (number: number): Transaction =>
  posted(number, { day: 45, description: `${number} `.padEnd(CHARACTERS, 'é') });

/** Says how many rows were read. */
class ComputedBank implements SyncSource {
  read = 0;
  readonly #bank: SyncSource;

  constructor(bank: SyncSource) {
    this.#bank = bank;
  }

  async open(owner: OwnerId, id: RowId<'account'>): Promise<SourceAccount> {
    const bank = this;
    return {
      ...(await this.#bank.open(owner, id)),
      pages: async function* () {
        for (let first = 0; first < ROWS; first += PAGE) {
          await new Promise((resolve) => setImmediate(resolve));
          bank.read += PAGE;
          yield Array.from({ length: PAGE }, (_, at) => computed(first + at));
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

const ownAccounts = async () => assert.fail('an export of a sync asks for its own accounts');

async function exporting(format: ExportFormat) {
  const world = await World.open();
  const bank = new ComputedBank(world.bank);
  const sync = await world.sync([world.account()]);
  const { clock, limits } = world;
  const { db } = world.database;
  const exports = new Exports({
    db,
    clock,
    limits,
    accounts: { resolve: ownAccounts, resolveAll: ownAccounts },
    source: bank,
    gateway: {
      transactions: {
        list: async () => assert.fail('an export of a sync is read live'),
        cachedList: () => assert.fail('an export of a sync is read live'),
      },
    },
    rulesOf: async () => plainRow,
  });
  const { id: owner } = world.owner;
  const rows = await exports.ofSync(owner, sync.row.id, { from: null, to: null }, () => undefined);
  const services = { clock, limits, categoryOf: async () => () => null };
  const answer = exportAnswer(services, owner, rows, { format }, { name: 'rows', ruled: true });
  return { bank, pieces: await answer.text(new AbortController().signal) };
}

for (const format of EXPORT_FORMATS) {
  test(`an export as ${format} of any number of rows takes the memory of some pages`, async () => {
    const { bank, pieces } = await exporting(format);
    let characters = 0;
    let [first, most, taken] = [0, 0, 0];
    for await (const piece of pieces) {
      characters += piece.length;
      taken += 1;
      if (taken % 100 !== 0) continue;
      const held = heapInUse();
      if (first === 0) first = held;
      most = Math.max(most, held);
    }
    assert.equal(bank.read, ROWS);
    assert.ok(
      first > 0 && characters > ROWS * (['csv', 'jsonl'].includes(format) ? CHARACTERS : 255),
      `${characters}`,
    );
    assert.ok(most - first < MOST_BYTES, `${most - first} bytes more`);
  });

  test(`an export as ${format} reads no further than a few pages ahead of who takes it`, async () => {
    const { bank, pieces } = await exporting(format);
    let taken = 0;
    for await (const _ of pieces) {
      taken += 1;
      for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
      assert.ok(bank.read <= (taken + 3) * PAGE, `${bank.read} rows read after ${taken} pieces`);
      if (taken === 10) break;
    }
    assert.ok(bank.read < ROWS);
  });
}
