import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failover } from '../../scripts/lib/torture/failover.ts';
import { isClean, showReports } from '../../scripts/lib/torture/outcome.ts';
import { PostgresCluster } from '../../scripts/lib/torture/postgres-cluster.ts';
import { soak } from '../../scripts/lib/torture/soak.ts';
import { THOROUGH } from '../support/thorough.ts';

const skip = THOROUGH ? (PostgresCluster.missing() ?? false) : 'runs with THOROUGH';

test('Nothing is lost, doubled or stuck when the primary of a Postgres cluster is killed', {
  skip,
  timeout: 600_000,
}, async () => {
  const cluster = await PostgresCluster.start();
  try {
    const options = { kills: 1, syncs: 8, events: 200, rows: 60, onProgress: () => undefined };
    const reports = await failover(cluster, options);
    assert.ok(reports.every(isClean), `\n${showReports(reports)}`);
  } finally {
    await cluster.close();
  }
});

test('Nothing is lost, doubled or stuck under load while everything around the service fails', {
  skip,
  timeout: 900_000,
}, async () => {
  const cluster = await PostgresCluster.start();
  try {
    const reports = await soak(cluster, { minutes: 1, onProgress: () => undefined });
    assert.ok(reports.every(isClean), `\n${showReports(reports)}`);
  } finally {
    await cluster.close();
  }
});
