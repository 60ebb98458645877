import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { sql } from 'kysely';
import {
  bytesArray,
  integerArray,
  momentArray,
  smallintArray,
  textArray,
  uuidArray,
} from '../../src/storage/binary-arrays.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';

let storage: TestDatabase;

before(async () => {
  storage = await openTestDatabase();
});
after(() => storage.close());

interface Read {
  readonly numbers: number[];
  readonly days: (number | null)[];
  readonly records: string[];
}

const NUMBERS = fc.array(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }));
const DAYS = fc.array(fc.option(fc.integer({ min: -32_768, max: 32_767 })));
const RECORDS = fc.array(fc.uint8Array().map((bytes) => Buffer.from(bytes).toString('hex')));

async function read(numbers: Buffer, days: Buffer, records: Buffer): Promise<Read | undefined> {
  const { rows } = await sql<Read>`
    select (select coalesce(json_agg(value order by at), '[]')
        from unnest(${numbers}::int[]) with ordinality as of (value, at)) as numbers,
      (select coalesce(json_agg(value order by at), '[]')
        from unnest(${days}::smallint[]) with ordinality as of (value, at)) as days,
      (select coalesce(json_agg(encode(value, 'hex') order by at), '[]')
        from unnest(${records}::bytea[]) with ordinality as of (value, at)) as records`.execute(storage.db);
  return rows[0];
}

describe('an array sent in binary form', () => {
  test('has the values that were sent, of any number, size and sign, and nulls in their places', async () => {
    await fc.assert(
      fc.asyncProperty(NUMBERS, DAYS, RECORDS, async (numbers, days, records) => {
        const found = await read(integerArray(numbers), smallintArray(days), bytesArray(records));
        assert.deepEqual(found, { numbers, days, records });
      }),
    );
  });

  test('has ids, texts and moments as they were sent', async () => {
    const uuids = fc.array(fc.uuid());
    const texts = fc.array(fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\0')));
    const moments = fc.array(
      fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }),
    );
    await fc.assert(
      fc.asyncProperty(uuids, texts, moments, async (ids, words, times) => {
        const { rows } = await sql<{ ids: string[]; words: string[]; times: number[] }>`
          select (select coalesce(json_agg(value order by at), '[]')
              from unnest(${uuidArray(ids)}::uuid[]) with ordinality as of (value, at)) as ids,
            (select coalesce(json_agg(value order by at), '[]')
              from unnest(${textArray(words)}::text[]) with ordinality as of (value, at)) as words,
            (select coalesce(json_agg((extract(epoch from value) * 1000)::bigint order by at), '[]')
              from unnest(${momentArray(times)}::timestamptz[]) with ordinality as of (value, at)) as times
        `.execute(storage.db);
        assert.deepEqual(rows[0], { ids, words, times: times.map((time) => time.getTime()) });
      }),
    );
  });

  test('is the same within a transaction, and after a statement of it has failed', async () => {
    const [numbers, days, records] = [[1], [null, 2], ['00ff']];
    const arrays = [integerArray(numbers), smallintArray(days), bytesArray(records)] as const;
    await assert.rejects(
      storage.db.transaction().execute(async (trx) => {
        await sql`select ${integerArray([7])}::int[]`.execute(trx);
        await sql`select ${bytesArray(['00'])}::bytea[], 1 / 0`.execute(trx);
      }),
      /division by zero/,
    );
    assert.deepEqual(await read(...arrays), { numbers, days, records });
  });
});
