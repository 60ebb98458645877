import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readConfig } from '../../src/app/read-config.ts';
import { freePort } from '../../src/platform/free-port.ts';

/** The first port that an outgoing connection can have (Linux `ip_local_port_range`; others begin later). */
const OUTGOING = 32_768;

test('a free port and the port of /metrics beside it are never ports that an outgoing connection can take', async () => {
  for (let draw = 0; draw < 500; draw++) {
    const port = await freePort('127.0.0.1');
    const { metrics } = readConfig({ PORT: String(port) });
    assert.ok(port < OUTGOING, String(port));
    assert.ok(metrics !== null && metrics.port < OUTGOING, String(metrics?.port));
  }
});
