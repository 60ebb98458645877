import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import Airtable from 'airtable';
import { type AirtableSimulator, startAirtableSimulator } from '../../sandbox/airtable/server.ts';
import { airtableToken } from './airtable-visitor.ts';

describe('The vendor’s own client against the simulator', () => {
  let now = Date.parse('2026-11-20T06:00:00Z');
  let simulator: AirtableSimulator;
  let base: ReturnType<Airtable['base']>;
  let table: string;

  before(async () => {
    simulator = await startAirtableSimulator({
      clientId: 'sdk',
      clientSecret: 'secret',
      clock: { now: () => now },
    });
    const id = simulator.control.addBase('Shop');
    table = simulator.control.addTable(id, 'Parts', [
      { name: 'Name', type: 'singleLineText' },
      { name: 'Price', type: 'number', options: { precision: 2 } },
    ]);
    const apiKey = await airtableToken(simulator, 'sdk', 'secret');
    base = new Airtable({ apiKey, endpointUrl: simulator.url, noRetryIfRateLimited: true }).base(id);
  });
  after(() => simulator.close());

  it('makes, reads, finds, changes and removes records', async () => {
    const made = await base(table).create([
      { fields: { Name: 'Bolt', Price: 1.25 } },
      { fields: { Name: 'Nut' } },
    ]);
    assert.deepEqual(
      made.map((record) => record.fields),
      [{ Name: 'Bolt', Price: 1.25 }, { Name: 'Nut' }],
    );
    const [bolt, nut] = made;
    assert.ok(bolt && nut);
    const [changed] = await base('Parts').update([{ id: bolt.id, fields: { Price: 2 } }]);
    assert.deepEqual(changed?.fields, { Name: 'Bolt', Price: 2 });
    assert.deepEqual((await base(table).find(nut.id)).fields, { Name: 'Nut' });
    const found = await base(table)
      .select({ filterByFormula: '{Name}="Bolt"', fields: ['Price'] })
      .all();
    assert.deepEqual(
      found.map((record) => record.fields),
      [{ Price: 2 }],
    );
    now += 1_000;
    const removed = await base(table).destroy([bolt.id, nut.id]);
    assert.equal(removed.length, 2);
    assert.deepEqual(await base(table).select().all(), []);
  });

  it('reads more than a page', async () => {
    for (let number = 0; number < 130; number++)
      simulator.control.addRecord(table, { Name: `Part ${number}` });
    now += 1_000;
    const names = (await base(table).select().all()).map((record) => record.get('Name'));
    assert.equal(new Set(names).size, 130);
  });

  it('is told what is wrong in the vendor’s words', async () => {
    now += 1_000;
    const told = (error: string, statusCode: number) => (thrown: unknown) => {
      assert.partialDeepStrictEqual(JSON.parse(JSON.stringify(thrown)), { error, statusCode });
      return true;
    };
    await assert.rejects(
      base(table).create([{ fields: { Colour: 'red' } }]),
      told('UNKNOWN_FIELD_NAME', 422),
    );
    await assert.rejects(
      base(table).create([{ fields: { Price: 'x' } }]),
      told('INVALID_VALUE_FOR_COLUMN', 422),
    );
    await assert.rejects(base(table).find('recNone'), told('NOT_FOUND', 404));
    await assert.rejects(base('Nothing').select().all(), told('NOT_AUTHORIZED', 403));
  });
});
