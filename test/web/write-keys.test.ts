import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { WriteKeys } from '../../web/src/api/write-keys.ts';

describe('idempotency keys of the web application', () => {
  test('another attempt at a write whose answer was lost has the same key, so that it is done once', () => {
    const writes = new WriteKeys();
    writes.lost('POST /v2/syncs {}', 'first');
    assert.equal(writes.keyOf('POST /v2/syncs {}', 'second'), 'first');
    assert.equal(writes.keyOf('POST /v2/syncs {"name":"Other"}', 'second'), 'second');
  });

  test('a write that was answered has another key the next time', () => {
    const writes = new WriteKeys();
    assert.equal(writes.keyOf('POST /v2/syncs/sync_1/run', 'first'), 'first');
    writes.answered();
    assert.equal(writes.keyOf('POST /v2/syncs/sync_1/run', 'second'), 'second');
  });

  test('a write is done again where another one was answered since its own answer was lost', () => {
    const writes = new WriteKeys();
    const enable = 'POST /v2/syncs/sync_1 {"enabled":true}';
    writes.lost(enable, 'first');
    writes.answered();
    assert.equal(writes.keyOf(enable, 'second'), 'second');
  });

  test('the same write long afterwards is a new one', (t) => {
    t.mock.timers.enable({ apis: ['Date'], now: 0 });
    const writes = new WriteKeys();
    writes.lost('POST /v2/syncs/sync_1/run', 'first');
    t.mock.timers.tick(299_999);
    assert.equal(writes.keyOf('POST /v2/syncs/sync_1/run', 'second'), 'first');
    t.mock.timers.tick(1);
    assert.equal(writes.keyOf('POST /v2/syncs/sync_1/run', 'second'), 'second');
  });
});
