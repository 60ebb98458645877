import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Metrics } from '../../src/platform/metrics.ts';

test('figures add up under their labels, in each instance on its own', async () => {
  const [metrics, other] = [new Metrics(), new Metrics({ process: true })];
  metrics.httpRequest('listAccounts', 200, 12);
  metrics.httpRequest('listAccounts', 200, 700);
  metrics.upstreamCall('au_banking', 'upstream_timeout', 30_000);
  metrics.syncRows('written', 500);
  metrics.syncRows('written', 7);
  metrics.runEnded('succeeded');
  metrics.delivery('webhook', 'failed');
  const text = await metrics.text();
  for (const line of [
    'tributary_http_request_seconds_count{operation="listAccounts",status="200"} 2',
    'tributary_http_request_seconds_sum{operation="listAccounts",status="200"} 0.712',
    'tributary_upstream_call_seconds_count{provider="au_banking",outcome="upstream_timeout"} 1',
    'tributary_sync_rows_total{outcome="written"} 507',
    'tributary_sync_runs_total{status="succeeded"} 1',
    'tributary_deliveries_total{to="webhook",outcome="failed"} 1',
  ]) {
    assert.ok(text.includes(line), `${line}\nin\n${text}`);
  }
  const otherText = await other.text();
  assert.ok(!otherText.includes('listAccounts'));
  assert.match(otherText, /process_resident_memory_bytes/);
  assert.match(metrics.contentType, /^text\/plain/);
});

test('ids and data never become a label', async () => {
  const metrics = new Metrics();
  for (const label of [
    'conn_0190b0a0123',
    '12345678',
    'Coffee at MARKER',
    '/v2/accounts/MARKER',
    '',
    'a'.repeat(65),
    'MARKER\n',
  ]) {
    metrics.httpRequest(label, 200, 1);
    metrics.upstreamCall(label, label, 1);
    metrics.syncRows(label, 1);
    metrics.runEnded(label);
    metrics.delivery(label, label);
  }
  const text = await metrics.text();
  assert.ok(!/MARKER|0190|1234|aaaa/.test(text), text);
  assert.match(text, /tributary_deliveries_total\{to="other",outcome="other"\} 7/);
});
