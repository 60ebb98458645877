import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  DESTINATION_MOVES,
  moveBy,
  StatusMove,
  SYNC_RUN_MOVES,
  UnlistedMove,
} from '../../src/vocabulary/states.ts';
import { readSources, readTree } from './tree.ts';

/** The tables of the database that store a status with moves; every other status is computed when it is asked for. */
const STORED = ['destinations', 'sync_runs', 'event_destinations', 'event_deliveries'];
const builder = new RegExp(`updateTable\\('(?:${STORED.join('|')})'\\)(.*?)\\.(?:where|execute)\\b`, 'gs');
const statement = new RegExp(`update (?:${STORED.join('|')})\\b(.*?)\\b(?:from|where)\\b`, 'gs');
/** A status that is written; what it comes from must be the `to` of a move. */
// `ended` in settleDeliveries holds what each move leads to.
const written = /(?<![\w.])status\s*(?::|=)\s*([^,}\n]+)/g;

/** Status writes in the text that do not take the new status from a move. */
function unlisted(text: string): string[] {
  const changes = [...text.matchAll(builder), ...text.matchAll(statement)].map(([, change = '']) => change);
  const upserts = [...text.matchAll(/doUpdateSet\(\{(.*?)\}\)/gs)].map(([, change = '']) => change);
  return [...changes, ...upserts]
    .flatMap((change) => [...change.matchAll(written)].map(([, value = '']) => value.trim()))
    .filter((value) => !/\.to\b|^moveBy\(|^ended\.status$/.test(value));
}

test('every stored status is written by a move of its table', () => {
  const found = [...readSources()].flatMap(([path, text]) =>
    unlisted(text).map((value) => `${path}: status ${value}`),
  );
  const inStorage = found.filter((line) => !line.startsWith('src/storage/migrations/'));
  assert.deepEqual(inStorage, []);
});

test('a write past the tables is found', () => {
  assert.deepEqual(
    unlisted("trx.updateTable('destinations').set({ status: 'active', updated }).where('id', '=', id)"),
    ["'active'"],
  );
  assert.deepEqual(unlisted("sql`update sync_runs set status = 'failed' where id = 1`"), ["'failed'"]);
  assert.deepEqual(unlisted("trx.updateTable('destinations').set({ status: moved.to }).where(1)"), []);
});

test('a move that its table does not list is refused', () => {
  assert.throws(() => StatusMove.of(DESTINATION_MOVES, 'enabled', 'reauth_required'), UnlistedMove);
  assert.equal(StatusMove.of(DESTINATION_MOVES, 'enabled', 'disabled').to, 'active');
  assert.deepEqual(moveBy(SYNC_RUN_MOVES, 'cancelled by the caller').from, ['queued']);
});

test('an event of a move is taken from its table, not named beside it', () => {
  const emitted = [
    ...([...readTree('src/vocabulary')]
      .find(([path]) => path.endsWith('states.ts'))?.[1]
      .matchAll(/emits: ('[\w.]+')/g) ?? []),
  ].map(([, kind = '']) => kind);
  assert.ok(emitted.length > 10);
  const named = [...readTree('src/features', '.ts')].flatMap(([path, text]) =>
    emitted.filter((kind) => text.includes(kind)).map((kind) => `${path}: ${kind}`),
  );
  assert.deepEqual(named, []);
});
