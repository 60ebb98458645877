import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Tributary } from '#client';
import { generatedClient } from '../../scripts/lib/client/generated-client.ts';
import { OPERATIONS } from '../../src/operations/operation-table.ts';

const FOLDER = new URL('../../packages/client/src/generated/', import.meta.url);

test('the client is the one that the operation table generates: npm run client writes it', () => {
  const written = new Map(
    readdirSync(FOLDER).map((name) => [name, readFileSync(new URL(name, FOLDER), 'utf8')] as const),
  );
  const generated = generatedClient();
  assert.deepEqual([...written.keys()].toSorted(), [...generated.keys()].toSorted());
  for (const [name, text] of generated) assert.equal(written.get(name), text, name);
});

test('every operation is one method of the client, which requests its path by its method', async () => {
  const asked: string[] = [];
  const client = new Tributary({
    url: 'http://127.0.0.1:9/base/',
    retries: 0,
    fetch: async (input, init) => {
      asked.push(`${init?.method} ${new URL(String(input)).pathname}`);
      return new Response(JSON.stringify({ data: [], next_page_url: null, previous_page_url: null }));
    },
  });
  const given = { id: 'some', rule: 'rule', delivery: 'delivery' };
  for (const group of Object.values(client)) {
    for (const name of Object.getOwnPropertyNames(Object.getPrototypeOf(group))) {
      if (name === 'constructor') continue;
      const [only, ...more] = paramsOf(name, group);
      assert.equal(more.length, 0);
      await settled(only);
    }
  }
  const wanted = OPERATIONS.map(
    ({ method, path }) => `${method} /base${path.replaceAll(/:(\w+)/g, (_, name) => idFor(name))}`,
  );
  assert.deepEqual(asked.toSorted(), wanted.toSorted());

  /** The answer to the method, called with what any path needs and nothing else. */
  function paramsOf(name: string, group: object): readonly unknown[] {
    const method: unknown = Reflect.get(group, name);
    assert.ok(typeof method === 'function');
    const path = String(method).match(/path: '([^']*)'/)?.[1] ?? '';
    const input = Object.fromEntries([...path.matchAll(/:(\w+)/g)].map(([, key = '']) => [key, idFor(key)]));
    return [method.call(group, input)];
  }

  function idFor(name: string): string {
    return new Map(Object.entries(given)).get(name) ?? assert.fail(name);
  }
});

async function settled(answer: unknown): Promise<void> {
  const isList = typeof answer === 'object' && answer !== null && 'page' in answer;
  if (!isList) await answer;
  else {
    assert.ok(typeof answer.page === 'function');
    await answer.page();
  }
}
