import assert from 'node:assert/strict';
import { test } from 'node:test';
import { everyOperation } from '../../src/vocabulary/description/described-operation.ts';
import type { Description } from '../../src/vocabulary/description/description-document.ts';
import { type Field, fieldsOf } from '../../src/vocabulary/description/fields.ts';
import { EVENT_KIND_NAMES } from '../../src/vocabulary/event-kinds.ts';
import { EVENT_SELECTORS, kindsNamed } from '../../src/vocabulary/event-selectors.ts';
import { impliedScopes, SCOPES, type Scope } from '../../src/vocabulary/scopes.ts';
import { isLocal } from '../../web/src/developer/apps/agent-setups.ts';
import { changesOf, withSelector } from '../../web/src/developer/events/event-destination-draft.ts';
import { askedFor } from '../../web/src/developer/keys/scope-groups.ts';
import { description } from '../support/description.ts';

test('a key asks for no scope that another brings, and holds what was chosen', () => {
  const all = new Set<Scope>(SCOPES);
  assert.deepEqual(impliedScopes(askedFor(all)), impliedScopes(SCOPES));
  assert.ok(!askedFor(all).includes('syncs:read'));
  assert.deepEqual(askedFor(new Set<Scope>(['syncs:read', 'data:read'])), ['data:read', 'syncs:read']);
});

test('choosing events one after the other names each kind once, and always what was chosen', () => {
  let chosen: readonly string[] = [];
  for (const selector of [...EVENT_KIND_NAMES, 'sync_run.*']) chosen = withSelector(chosen, selector, true);
  assert.ok(chosen.includes('sync_run.*') && !chosen.includes('sync_run.failed'));
  assert.deepEqual(kindsNamed(chosen), EVENT_KIND_NAMES);
  for (const selector of EVENT_SELECTORS) {
    assert.deepEqual(withSelector(withSelector([], selector, true), selector, false), []);
  }
});

test('an event destination that is only renamed keeps its address out of the request, which an old session may send', () => {
  const before = { name: 'Mine', url: 'https://receiver.example.test/', events: ['*' as const] };
  assert.deepEqual(changesOf(before, { ...before, name: 'Ours' }), { name: 'Ours', enabled_events: ['*'] });
  const url = 'https://elsewhere.example.test/';
  assert.deepEqual(changesOf(before, { ...before, url }).webhook_endpoint, { url });
});

test('an address of this machine or its network is known as one', () => {
  for (const url of ['http://localhost:8780/mcp', 'https://10.1.2.3/mcp', 'https://hub.local/mcp']) {
    assert.ok(isLocal(url), url);
  }
  assert.ok(!isLocal('https://hub.example.com/mcp'));
});

test('every member of every body and answer has a type, and every operation says what it answers', () => {
  const described: Description = description();
  const { schemas } = described.components;
  const typed = (fields: readonly Field[], where: string): void => {
    for (const field of fields) {
      assert.ok(field.type !== '' && field.name !== '', where);
      typed(field.fields, `${where}.${field.name}`);
    }
  };
  for (const operation of everyOperation(described)) {
    const json = operation.answers['application/json'];
    if (json !== undefined) {
      const fields = fieldsOf(json.schema, schemas);
      assert.ok(fields.length > 0, operation.id);
      typed(fields, operation.id);
    }
    if (operation.body !== null) typed(fieldsOf(operation.body.schema, schemas), operation.id);
    assert.ok(operation.errors.length > 5, operation.id);
    assert.ok(
      operation.errors.every(({ summary }) => summary !== ''),
      operation.id,
    );
  }
});
