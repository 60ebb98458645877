import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { posted } from '../../features/sync-engine/support/bank.ts';
import { closeDatabase } from '../../features/sync-engine/support/world.ts';
import { closeServer, Scene } from './postgres/scene.ts';

after(closeDatabase);
after(closeServer);

const rowsOf = (count: number) => Array.from({ length: count }, (_, at) => posted(at + 1, { day: 49 }));

/** A trigger on the scene's table that runs this for each row. */
function onEachRow(scene: Scene, body: string): Promise<void> {
  return scene.execute(
    `create function "${scene.schema}".watch() returns trigger language plpgsql as $$ begin ${body} end $$;
     create trigger watch before insert or update or delete on % for each row execute function "${scene.schema}".watch()`,
  );
}

/** The simulated server gives a transaction the settings of a new connection, as a pooler may. */
describe('behind a pooler that gives each transaction another connection', () => {
  const set = (name: string, value: string) =>
    `if current_setting('${name}') <> '${value}' then raise exception '${name}' using errcode = '0A000'; end if;`;

  test('each transaction has its bounds and its form of values', async () => {
    await using scene = await Scene.open({ chunkRows: 10 });
    await onEachRow(
      scene,
      `${set('statement_timeout', '1min')} ${set('lock_timeout', '15s')}
       ${set('idle_in_transaction_session_timeout', '1min')} ${set('TimeZone', 'UTC')}
       ${set('DateStyle', 'ISO, YMD')} return coalesce(new, old);`,
    );
    const { account, sync } = await scene.syncOf(rowsOf(25), { options: { include_balances_tab: true } });
    const first = await scene.run(sync);
    assert.deepEqual([first.status, first.added], ['succeeded', 25]);
    scene.world.bank.accounts.set(account, rowsOf(20));
    assert.equal((await scene.resync(sync)).status, 'succeeded');
  });
});

for (const [state, failure] of [
  ['57014', 'timeout'],
  ['55P03', 'timeout'],
] as const) {
  test(`A statement or a lock that the server gives up after its bound (${state}) ends the run, and the next one goes on`, async () => {
    await using scene = await Scene.open();
    await onEachRow(scene, `raise exception 'slow' using errcode = '${state}';`);
    const { sync } = await scene.syncOf(rowsOf(3));
    const run = await scene.run(sync);
    assert.deepEqual([run.status, run.failure], ['failed', failure]);
    await scene.execute('drop trigger watch on %');
    assert.equal((await scene.run(sync)).added, 3);
  });
}
