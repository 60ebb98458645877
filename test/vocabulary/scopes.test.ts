import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { impliedScopes, isScope, LEGACY_SCOPES, SCOPES, type Scope } from '../../src/vocabulary/scopes.ts';

const held = fc.subarray([...SCOPES]);

test('a write scope brings its read scope and nothing else comes along', () => {
  fc.assert(
    fc.property(held, (scopes) => {
      const implied = impliedScopes(scopes);
      for (const scope of SCOPES) {
        const byWrite = scope.endsWith(':read') && held2(scopes, scope.replace(':read', ':write'));
        assert.equal(implied.has(scope), scopes.includes(scope) || byWrite, scope);
      }
      for (const scope of implied) assert.ok(isScope(scope));
    }),
  );
});

function held2(scopes: readonly Scope[], text: string): boolean {
  return isScope(text) && scopes.includes(text);
}

test('what is implied implies nothing more', () => {
  fc.assert(
    fc.property(held, (scopes) => {
      const once = impliedScopes(scopes);
      assert.deepEqual(impliedScopes([...once]), once);
    }),
  );
});

test('keys:write brings no scope that does not exist', () => {
  assert.deepEqual([...impliedScopes(['keys:write'])], ['keys:write']);
  assert.ok(!isScope('keys:read'));
});

test('a legacy key holds every read scope and no write scope', () => {
  assert.deepEqual(
    [...LEGACY_SCOPES],
    [
      'account:read',
      'connections:read',
      'data:read',
      'categories:read',
      'destinations:read',
      'syncs:read',
      'rules:read',
      'events:read',
    ],
  );
  assert.ok([...impliedScopes(LEGACY_SCOPES)].every((scope) => scope.endsWith(':read')));
});

test('a name that only resembles a scope is none', () => {
  for (const text of [
    '',
    'data',
    'data:write',
    'Data:read',
    'data:read ',
    'data:*',
    'toString',
    '__proto__',
  ]) {
    assert.ok(!isScope(text), text);
  }
});
