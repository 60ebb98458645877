import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { posted } from '../../features/sync-engine/support/bank.ts';
import { closeDatabase } from '../../features/sync-engine/support/world.ts';
import { chunkOf, chunkRow, writerOf } from './postgres/chunks.ts';
import { closeServer, Scene } from './postgres/scene.ts';

after(closeDatabase);
after(closeServer);

const NO_SIGNAL = new AbortController().signal;

const textsOf = (scene: Scene) =>
  scene
    .tableRows()
    .map(({ tributary_id, description }) => [tributary_id, description])
    .toSorted();

describe('a row that a table refuses is refused alone', () => {
  test('where a posted row is there already and its pending row cannot go', async () => {
    await using scene = await Scene.open();
    const writer = await writerOf(scene);
    const row = (id: string, description: string, replaces: string | null = null) =>
      chunkRow(id, { transaction_id: id, description }, { replaces });
    const first = ['held', 'posted 1', 'free', 'posted 2', 'other'].map((id) => row(id, 'first'));
    await writer.write(chunkOf('one', { added: first }), NO_SIGNAL);
    await scene.execute(`create table "${scene.schema}".receipts (row text references % (tributary_id));
      insert into "${scene.schema}".receipts values ('held')`);
    const updated = [
      row('posted 1', 'second', 'held'),
      row('posted 2', 'second', 'free'),
      row('other', 'second'),
    ];
    const chunk = chunkOf('two', { updated, added: [row('new', 'second')] });
    const written = await writer.write(chunk, NO_SIGNAL);
    assert.deepEqual(written.rejected, ['posted 1']);
    assert.deepEqual(await writer.write({ ...chunk, again: true }, NO_SIGNAL), written);
    await writer.close();
    assert.deepEqual(textsOf(scene), [
      ['held', 'first'],
      ['new', 'second'],
      ['other', 'second'],
      ['posted 1', 'first'],
      ['posted 2', 'second'],
    ]);
  });

  test('where a trigger of their own passes over it without a word', async () => {
    await using scene = await Scene.open();
    await scene.execute(`create function "${scene.schema}".skip() returns trigger language plpgsql as
      $$ begin if new.description = 'skipped' then return null; end if; return new; end $$;
      create trigger skip before insert on % for each row execute function "${scene.schema}".skip()`);
    const { sync } = await scene.syncOf([
      posted(1, { day: 49, description: 'skipped' }),
      posted(2, { day: 49 }),
      posted(3, { day: 49 }),
    ]);
    const { status, added, rejected } = await scene.run(sync);
    assert.deepEqual([status, added, rejected, scene.rows().length], ['succeeded', 2, 1, 2]);
  });
});

test('An identity column where a field belongs ends the run with what to do', async () => {
  await using scene = await Scene.open();
  await scene.execute(
    'drop table % cascade; create table % (amount bigint generated always as identity); alter table % owner to books',
  );
  const writer = await writerOf(scene);
  const chunk = chunkOf('one', { added: [chunkRow('a', { amount: '1' })] });
  await assert.rejects(writer.write(chunk, NO_SIGNAL), /rename that one/);
  await writer.close();
});
