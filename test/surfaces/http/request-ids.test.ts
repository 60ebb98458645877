import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { currentRequestId, withRequestId } from '../../../src/platform/request-origin.ts';
import { publicId, type RowId } from '../../../src/vocabulary/ids.ts';
import { until } from '../../features/linking/person.ts';
import { startService } from '../../support/service.ts';
import { linkAll } from '../v1/support/linked.ts';

interface Line {
  readonly message: string;
  readonly run?: string;
  readonly request_id?: string;
}

test('what a run logs has the id of the request that queued it, and no other', async (t) => {
  const lines: Line[] = [];
  const destination = {
    write: (line: string): void => {
      lines.push(JSON.parse(line));
    },
  };
  const service = await startService({ LOG_LEVEL: 'info' }, { destination });
  t.after(() => service.close());
  const owner = await service.owner();
  const accounts = await linkAll(service, owner, [{ provider: 'up_bank', customer: 'everyday' }]);
  const requests: string[] = [];
  const made = async (path: string, body: object) => {
    const answer = await owner.v2('POST', path, body);
    assert.ok(answer.status < 300, JSON.stringify(answer.body));
    requests.push(answer.headers.get('request-id') ?? assert.fail());
    return answer.body;
  };
  const syncOf = async (name: string) => {
    // Nothing takes what is delivered there, so the run fails.
    const target = { url: `${service.url}/nowhere/${name}` };
    const { id } = await made('/v2/destinations', { type: 'webhook', name, target });
    const settings = { type: 'transactions', name, destination: id, accounts, mapping_mode: 'bulk' };
    return made('/v2/syncs', settings);
  };
  // At once, so that one request wakes the workers for both.
  await Promise.all([syncOf('a'), syncOf('b')]);
  const ended = await until(
    async () => lines.filter(({ message }) => message === 'A run ended.'),
    (found) => found.length >= 2,
  );
  const { rows } = await sql<{ id: RowId<'sync_run'>; request_id: string | null }>`
    select id, request_id from sync_runs`.execute(service.app.database.db);
  assert.equal(new Set(rows.map((row) => row.request_id)).size, 2);
  for (const { id, request_id } of rows) {
    assert.ok(requests.includes(request_id ?? ''));
    const of = ended.filter(({ run }) => run === publicId('sync_run', id));
    assert.deepEqual([...new Set(of.map((line) => line.request_id))], [request_id]);
  }
});

test('a job has the id of the request that enqueued it', async (t) => {
  const service = await startService({ ROLES: 'api' });
  t.after(() => service.close());
  const owner = await service.owner();
  await linkAll(service, owner, [{ provider: 'up_bank', customer: 'everyday' }]);
  const { body } = await owner.v2('GET', '/v2/connections');
  const answer = await owner.v2('DELETE', `/v2/connections/${body.data[0].id}`);
  assert.ok(answer.status < 300);
  const { rows } = await sql<{ request_id: string | null }>`
    select request_id from jobs where queue = 'connection-cleanup'`.execute(service.app.database.db);
  assert.deepEqual(rows, [{ request_id: answer.headers.get('request-id') }]);
});

test('work that one request woke up for others is not on its behalf', () => {
  withRequestId('req_1', () => {
    assert.equal(currentRequestId(), 'req_1');
    withRequestId(null, () => assert.equal(currentRequestId(), null));
  });
  assert.equal(currentRequestId(), null);
});
