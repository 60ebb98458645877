import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HEADER_COMPONENTS } from '../../src/surfaces/v2/openapi/response-headers.ts';
import { cell, tableRows } from './markdown.ts';
import { readText } from './tree.ts';

/** Of files and streams alone; docs/exports.md and docs/event-stream.md say what they are for. */
const OF_STREAMS: ReadonlySet<string> = new Set([
  'Content-Disposition',
  'Cache-Control',
  'X-Accel-Buffering',
]);

test('docs/api-conventions.md names every response header of the description, and no other', () => {
  const rows = tableRows(readText('docs/api-conventions.md'), 'Headers').filter((row) =>
    Object.hasOwn(row, 'Response header'),
  );
  const documented = rows.flatMap((row) =>
    [...cell(row, 'Response header').matchAll(/`([\w-]+)/g)].map(([, name = '']) => name),
  );
  const described = Object.keys(HEADER_COMPONENTS).filter(
    (name) => !name.endsWith('.required') && !OF_STREAMS.has(name),
  );
  assert.deepEqual(documented.toSorted(), described.toSorted());
});
