import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  ID_PREFIXES,
  isRowId,
  parsePublicId,
  publicId,
  type ResourceType,
  rowId,
} from '../../src/vocabulary/ids.ts';

const NOUNS = Object.keys(ID_PREFIXES).filter((name): name is ResourceType =>
  Object.hasOwn(ID_PREFIXES, name),
);
const resource = fc.constantFrom(...NOUNS);
const bits = fc.bigInt({ min: 0n, max: (1n << 128n) - 1n });
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

function uuidOf(value: bigint): string {
  const hex = value.toString(16).padStart(32, '0');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

test('every UUID comes back from its public id, which is the prefix and 22 base62 characters', () => {
  fc.assert(
    fc.property(resource, bits, (of, value) => {
      const id = rowId(of, uuidOf(value));
      const shown = publicId(of, id);
      assert.match(shown, new RegExp(`^${ID_PREFIXES[of]}_[0-9A-Za-z]{22}$`));
      assert.equal(parsePublicId(of, shown), id);
    }),
  );
});

test('the smallest and the largest UUID have public ids, and one past the largest has none', () => {
  const first = rowId('sync', uuidOf(0n));
  const last = rowId('sync', uuidOf((1n << 128n) - 1n));
  assert.equal(publicId('sync', first), 'sync_0000000000000000000000');
  assert.equal(publicId('sync', last), 'sync_7n42DGM5Tflk9n8mt7Fhc7');
  assert.equal(parsePublicId('sync', 'sync_7n42DGM5Tflk9n8mt7Fhc7'), last);
  assert.equal(parsePublicId('sync', 'sync_7n42DGM5Tflk9n8mt7Fhc8'), null);
  assert.equal(parsePublicId('sync', 'sync_zzzzzzzzzzzzzzzzzzzzzz'), null);
});

test('an id of one resource is never taken for an id of another', () => {
  fc.assert(
    fc.property(resource, resource, bits, (of, other, value) => {
      const shown = publicId(of, rowId(of, uuidOf(value)));
      assert.equal(parsePublicId(other, shown) === null, of !== other);
    }),
  );
});

test('no prefix is used twice', () => {
  assert.equal(new Set(Object.values(ID_PREFIXES)).size, NOUNS.length);
});

test('a public id that is one edit away from an issued one is refused or is another row', () => {
  const edit = fc.tuple(
    fc.constantFrom('insert', 'delete', 'replace', 'case'),
    fc.nat({ max: 27 }),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
  );
  fc.assert(
    fc.property(bits, edit, (value, [kind, at, character]) => {
      const id = rowId('connection', uuidOf(value));
      const shown = publicId('connection', id);
      const edited = apply(shown, kind, at, character);
      fc.pre(edited !== shown);
      const parsed = parsePublicId('connection', edited);
      if (parsed === null) return;
      assert.equal(edited.length, shown.length);
      assert.notEqual(parsed, id);
      assert.equal(publicId('connection', parsed), edited);
    }),
    { numRuns: 2000 },
  );
});

function apply(text: string, kind: string, at: number, character: string): string {
  const head = text.slice(0, at);
  const tail = text.slice(at + 1);
  if (kind === 'insert') return head + character + text.slice(at);
  if (kind === 'delete') return head + tail;
  if (kind === 'replace') return head + character + tail;
  const old = text.charAt(at);
  return head + (old === old.toLowerCase() ? old.toUpperCase() : old.toLowerCase()) + tail;
}

test('any other text is refused without raising', () => {
  fc.assert(
    fc.property(resource, fc.string({ unit: 'binary', maxLength: 60 }), (of, text) => {
      assert.equal(parsePublicId(of, text), null);
    }),
  );
  for (const text of ['', 'acct', 'acct_', `acct_${'0'.repeat(21)}`, `acct_${'0'.repeat(23)}`]) {
    assert.equal(parsePublicId('account', text), null, text);
  }
  for (const text of [` acct_${'0'.repeat(21)}`, `acct_${'0'.repeat(22)}\n`, `acct_${'-'.repeat(22)}`]) {
    assert.equal(parsePublicId('account', text), null, text);
  }
});

test('public ids sort as their rows were made: a later UUIDv7 is the greater text', () => {
  const v7 = fc.tuple(
    fc.bigInt({ min: 0n, max: (1n << 48n) - 1n }),
    fc.bigInt({ min: 0n, max: (1n << 74n) - 1n }),
  );
  const make = ([ms, random]: [bigint, bigint]) =>
    uuidOf(
      (ms << 80n) | (7n << 76n) | ((random >> 62n) << 64n) | (2n << 62n) | (random & ((1n << 62n) - 1n)),
    );
  fc.assert(
    fc.property(v7, v7, (a, b) => {
      const [left, right] = [rowId('event', make(a)), rowId('event', make(b))];
      fc.pre(left !== right);
      assert.equal(left < right, publicId('event', left) < publicId('event', right));
    }),
  );
  assert.equal(ALPHABET, [...ALPHABET].toSorted().join(''));
});

test('only the lower-case hyphenated spelling of a UUID is a row id', () => {
  const good = '0190b2a4-7c3e-7def-8abc-0123456789ab';
  assert.ok(isRowId('account', good));
  for (const text of [
    good.toUpperCase(),
    good.replaceAll('-', ''),
    `{${good}}`,
    `${good}\n`,
    good.slice(1),
    `${good}0`,
    '',
  ]) {
    assert.ok(!isRowId('account', text), text);
    assert.throws(() => rowId('account', text), TypeError);
  }
});
