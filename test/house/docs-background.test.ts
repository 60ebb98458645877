import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PERIODIC_WORK, type PeriodicRow } from '../../src/background/periodic.ts';
import { QUEUES } from '../../src/storage/job-queues.ts';
import { cell, plain, tableRows } from './markdown.ts';
import { readText } from './tree.ts';

const page = readText('docs/background-work.md');

test('every periodic work has its row in docs/background-work.md, and every row is one', () => {
  const rows = tableRows(page, 'Periodic work').map((row) => ({
    name: plain(cell(row, 'Work')),
    role: cell(row, 'Role'),
    everyMs: Number(cell(row, 'Every (seconds)')) * 1000,
  }));
  const table = Object.entries<PeriodicRow>(PERIODIC_WORK).map(([name, { role, everyMs }]) => ({
    name,
    role: role ?? 'any',
    everyMs,
  }));
  assert.deepEqual(rows, table);
});

test('every queue has its row in docs/background-work.md with its share per owner, and every row is one', () => {
  const rows = tableRows(page, 'Queues').map((row) => [
    plain(cell(row, 'Queue')),
    cell(row, 'At once'),
    cell(row, 'Per account record'),
  ]);
  const table = QUEUES.map(({ name, concurrency, perOwner }) => [
    name,
    String(concurrency),
    String(perOwner),
  ]);
  assert.deepEqual(rows, table);
});
