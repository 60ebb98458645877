import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { importedConnection, linkBank } from '../../features/linking/person.ts';
import { startService, type TestOwner, type TestService } from '../../support/service.ts';
import type { Json } from '../../support/v2-client.ts';
import { agentOf } from '../../surfaces/mcp/support/agent.ts';

const MOST = 8192;

let service: TestService;
let owner: TestOwner;
let account: string;

before(async () => {
  service = await startService({ LIMIT_MCP_ANSWER_CHARACTERS: String(MOST) });
  owner = await service.owner();
  const connection = await importedConnection(
    owner,
    await linkBank(owner, { customer: 'salaried-household' }),
  );
  const rows = new Map<string, number>();
  for (const { id } of connection.accounts)
    rows.set(id, (await owner.v2('GET', `/v2/transactions?account=${id}&limit=100`)).body.data.length);
  account = [...rows].toSorted(([, one], [, other]) => other - one)[0]?.[0] ?? assert.fail();
});
after(() => service.close());

async function feeds(): Promise<number> {
  const { db } = service.app.database;
  const rows = await db.selectFrom('change_snapshots').select('feed').distinct().execute();
  return rows.length;
}

test('an agent gets changes in answers that fit, and all of them by following next_cursor', async () => {
  const agent = agentOf(service.url, owner.key, '2026-07-28');
  const whole = await owner.v2('GET', `/v2/changes?account=${account}&days=90`);
  assert.ok(JSON.stringify(whole.body).length > 2 * MOST, 'too few rows for more than one answer');
  const began = await feeds();
  const ids: string[] = [];
  for (let cursor: string | null = null, more = true; more; ) {
    const args: Json = cursor === null ? { account, days: 90 } : { account, cursor };
    const { result } = await agent.call('list_changes', args);
    assert.ok(JSON.stringify(result).length <= MOST);
    ids.push(...result.added.map(({ id }: Json) => id));
    [cursor, more] = [result.next_cursor, result.has_more];
    assert.equal(await feeds(), began + 1, 'one start, one feed');
  }
  assert.deepEqual(ids.toSorted(), whole.body.added.map(({ id }: Json) => id).toSorted());
});
