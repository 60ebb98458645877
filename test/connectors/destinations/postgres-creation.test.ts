import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { CreationRequest } from '../../../src/connectors/destinations/destination-contract.ts';
import { DestinationFailure } from '../../../src/connectors/destinations/destination-failure.ts';
import { posted } from '../../features/sync-engine/support/bank.ts';
import { closeDatabase } from '../../features/sync-engine/support/world.ts';
import { chunkOf, chunkRow, writerOf } from './postgres/chunks.ts';
import { accessTo, closeServer, Scene } from './postgres/scene.ts';

after(closeDatabase);
after(closeServer);

const NO_SIGNAL = new AbortController().signal;

async function create(scene: Scene, more: Partial<CreationRequest> = {}): Promise<string> {
  const made = await scene.connector.create?.(
    accessTo(scene.grant),
    {
      key: 'wish',
      again: false,
      name: 'Made',
      parent: scene.schema,
      target: null,
      type: 'transactions',
      mappingMode: 'bulk',
      accounts: [],
      ...more,
    },
    NO_SIGNAL,
  );
  return made?.target.table ?? assert.fail();
}

/** What is in the scene's schema of its tables and views, by name. */
async function relations(scene: Scene): Promise<readonly string[]> {
  const tables = await scene.connector.resources?.list(
    accessTo(scene.grant),
    { type: 'table', parent: scene.schema, limit: 100 },
    NO_SIGNAL,
  );
  return tables?.map(({ id }) => id) ?? assert.fail();
}

/** Ends with a failure unless the condition holds in the database. */
const holds = (scene: Scene, condition: string) =>
  scene.execute(`do $$ begin if not (${condition}) then raise exception 'does not hold'; end if; end $$`);

/** Names of the columns of a table or a view, in their order. */
const columnsAre = (scene: Scene, table: string, names: readonly string[]) =>
  holds(
    scene,
    `select array_agg(attname::text order by attnum) = array['${names.join("','")}'] from pg_attribute
     where attrelid = '"${scene.schema}"."${table}"'::regclass and attnum > 0 and not attisdropped`,
  );

describe('making a table', () => {
  test('is undone as a whole where its view fails, and is tried again under the same name', async () => {
    await using scene = await Scene.open();
    const before = await relations(scene);
    await scene.control.execute(`
      create function public.no_views() returns event_trigger language plpgsql as
        $$ begin raise exception 'no views' using errcode = '42501'; end $$;
      create event trigger no_views on ddl_command_start when tag in ('CREATE VIEW') execute function public.no_views()`);
    try {
      await assert.rejects(create(scene), (error) => {
        assert.ok(error instanceof DestinationFailure);
        assert.equal(error.outcome, 'refused');
        return true;
      });
      assert.deepEqual(await relations(scene), before);
    } finally {
      await scene.control.execute('drop event trigger no_views; drop function public.no_views');
    }
    assert.equal(await create(scene, { again: true }), 'made');
    await holds(scene, `to_regclass('"${scene.schema}".made_monthly') is not null`);
  });

  test('is done once, whichever request loses its answer', async () => {
    for (let request = 0, struck = true; struck; request++) {
      await using scene = await Scene.open();
      const before = await relations(scene);
      scene.control.addFault({ route: '*', kind: 'drop-answer', after: request });
      const outcome = await create(scene).catch((error: unknown) => error);
      struck = scene.control.faults().length === 0;
      scene.control.clearFaults();
      if (outcome instanceof DestinationFailure && outcome.outcome === 'refused') {
        assert.deepEqual(await relations(scene), before, `request ${request}`);
      }
      assert.equal(await create(scene, { again: true }), 'made', `request ${request}`);
      assert.deepEqual(await relations(scene), [...before, 'made'].toSorted());
    }
  });

  test('gives it the columns that the sync chose and those that are needed, and no other', async () => {
    await using scene = await Scene.open();
    const table = await create(scene, {
      columns: ['date', 'amount', 'currency', 'institution', 'category'],
    });
    const chosen = ['date', 'amount', 'currency', 'institution', 'category'];
    await columnsAre(scene, table, ['tributary_id', 'tributary_account', ...chosen]);
    await columnsAre(scene, `${table}_monthly`, [
      ...['month', 'category', 'currency'],
      ...['money_in', 'money_out', 'net', 'transactions'],
    ]);
    const plain = await create(scene, { key: 'plain', name: 'Plain', columns: ['transaction_id', 'amount'] });
    await columnsAre(scene, plain, ['tributary_id', 'tributary_account', 'transaction_id', 'amount']);
    await holds(scene, `to_regclass('"${scene.schema}".plain_monthly') is null`);
    const positions = await create(scene, { key: 'positions', type: 'holdings', columns: ['symbol'] });
    await columnsAre(scene, positions, ['tributary_id', 'tributary_account', 'symbol', 'tributary_sync']);
  });

  test('adds what a sync chose later, with its first row', async () => {
    await using scene = await Scene.open();
    const table = await create(scene, { columns: ['date', 'amount'] });
    const writer = await writerOf(scene, { columns: ['date', 'amount', 'account_number'] }, table);
    const row = chunkRow('a', { date: '2026-02-03', amount: '1.00', account_number: 'xxxx1234' });
    await writer.write(chunkOf('one', { added: [row] }), NO_SIGNAL);
    await writer.close();
    await columnsAre(scene, table, ['tributary_id', 'tributary_account', 'date', 'amount', 'account_number']);
    assert.equal(scene.tableRows(table)[0]?.account_number, 'xxxx1234');
  });

  test('gives it a name that needs no quotes', async () => {
    await using scene = await Scene.open();
    const names: string[] = [];
    for (const name of ['Order', '日本', '2026']) names.push(await create(scene, { key: name, name }));
    assert.deepEqual(names, ['t_order', 'tributary', 't_2026']);
  });
});

describe('reading a table back', () => {
  test('changes nothing, not even a column that is missing', async () => {
    await using scene = await Scene.open();
    const { sync } = await scene.syncOf([posted(1, { day: 49 })]);
    await scene.run(sync);
    await scene.execute('alter table % drop column merchant');
    const writer = await writerOf(scene, { columns: ['merchant', 'description', 'institution'] });
    const found = [];
    for await (const page of writer.reading?.rows(NO_SIGNAL) ?? []) found.push(...page);
    await writer.close();
    assert.deepEqual(
      found.map(({ values }) => Object.keys(values)),
      [['description']],
    );
    await holds(
      scene,
      `not exists (select 1 from pg_attribute where attrelid = '"${scene.schema}"."${scene.table}"'::regclass
        and attname in ('merchant', 'institution'))`,
    );
  });

  test('finds nothing in a table without keys', async () => {
    await using scene = await Scene.open();
    await scene.execute(
      'drop table % cascade; create table % (amount numeric); insert into % values (1); alter table % owner to books',
    );
    const writer = await writerOf(scene);
    for await (const _page of writer.reading?.rows(NO_SIGNAL) ?? []) assert.fail('a page');
    await writer.close();
  });
});
