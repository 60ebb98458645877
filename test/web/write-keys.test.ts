import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { WriteKeys } from '../../web/src/api/write-keys.ts';

describe('idempotency keys of the web application', () => {
  test('another attempt at a write whose answer was lost has the same key, so that it is done once', () => {
    const writes = new WriteKeys();
    const key = writes.keyOf('POST /v2/syncs {}');
    writes.lost('POST /v2/syncs {}', key);
    assert.equal(writes.keyOf('POST /v2/syncs {}'), key);
    assert.notEqual(writes.keyOf('POST /v2/syncs {"name":"Other"}'), key);
  });

  test('a write that was answered has another key the next time', () => {
    const writes = new WriteKeys();
    const key = writes.keyOf('POST /v2/syncs/sync_1/run');
    writes.answered();
    assert.notEqual(writes.keyOf('POST /v2/syncs/sync_1/run'), key);
  });

  test('a write is done anew where another one was answered since its own answer was lost', () => {
    const writes = new WriteKeys();
    const enable = 'POST /v2/syncs/sync_1 {"enabled":true}';
    const key = writes.keyOf(enable);
    writes.lost(enable, key);
    writes.answered();
    assert.notEqual(writes.keyOf(enable), key);
  });

  test('the same write long afterwards is a new one', (t) => {
    t.mock.timers.enable({ apis: ['Date'], now: 0 });
    const writes = new WriteKeys();
    const key = writes.keyOf('POST /v2/syncs/sync_1/run');
    writes.lost('POST /v2/syncs/sync_1/run', key);
    t.mock.timers.tick(299_999);
    assert.equal(writes.keyOf('POST /v2/syncs/sync_1/run'), key);
    t.mock.timers.tick(1);
    assert.notEqual(writes.keyOf('POST /v2/syncs/sync_1/run'), key);
  });
});
