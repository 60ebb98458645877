import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { INTEGRATIONS } from '../../src/app/integrations.ts';
import { DESTINATION_KINDS, DESTINATION_TYPES } from '../../src/vocabulary/destination-kinds.ts';
import { cell, plain, section, tableRows } from './markdown.ts';
import { readText } from './tree.ts';

const PAGES = [
  { page: 'docs/providers.md', kind: 'provider', name: 'Provider', costs: 'Costs' },
  { page: 'docs/destination-services.md', kind: 'destination', name: 'Type', costs: 'What it costs' },
] as const;

for (const { page, kind, name, costs } of PAGES) {
  const text = readText(page);
  const [introduction = ''] = text.split(/^## /m);
  const rows = tableRows(introduction);
  const integrations = INTEGRATIONS.map(({ row }) => row).filter(
    // A webhook needs nothing of any vendor.
    (row) => row.kind === kind && row.name !== 'webhook',
  );

  describe(page, () => {
    test(`has every ${kind} in its first table, what it costs, and a section that the table leads to`, () => {
      const documented = new Set(rows.map((row) => plain(cell(row, name))));
      assert.deepEqual([...documented].toSorted(), integrations.map((row) => row.name).toSorted());
      for (const row of rows) {
        assert.ok(cell(row, costs).length > 0);
        const title =
          /^\[(.+?)\]\(#[\w-]+\)/.exec(cell(row, 'Vendor'))?.[1] ?? assert.fail(cell(row, 'Vendor'));
        assert.ok(section(text, title).length > 200, title);
      }
    });

    test('says of each which credentials to set, all of one way to use it, and no variable that does not exist', () => {
      for (const { name: own, variables, alternatives } of integrations) {
        const credentials = variables.filter(({ role }) => role === 'credential');
        const ways = (alternatives ?? (credentials.length === 0 ? [] : [credentials])).map((way) =>
          way.map(({ env }) => env),
        );
        const set = rows
          .filter((row) => plain(cell(row, name)) === own)
          .map((row) => [...cell(row, 'Set').matchAll(/`([A-Z][A-Z_]+)/g)].map(([, env = '']) => env));
        for (const way of ways)
          assert.ok(
            set.some((one) => way.every((env) => one.includes(env))),
            `${own}: ${way.join(', ')}`,
          );
        const known = new Set([...variables.map(({ env }) => env), 'SANDBOX', 'OUTBOUND_ALLOW']);
        assert.deepEqual(
          set.flat().filter((env) => !known.has(env)),
          [],
        );
      }
    });
  });
}

test('the section of each destination at whose vendor people sign in has steps and the address to return to', () => {
  const text = readText('docs/destination-services.md');
  const rows = tableRows(text.split(/^## /m)[0] ?? '');
  const linked = DESTINATION_TYPES.filter((type) => DESTINATION_KINDS[type].connects === 'link');
  assert.ok(linked.length >= 4);
  for (const type of linked) {
    const row = rows.find((one) => plain(cell(one, 'Type')) === type) ?? assert.fail(type);
    const title = /^\[(.+?)\]/.exec(cell(row, 'Vendor'))?.[1] ?? assert.fail(type);
    const steps = section(text, title).match(/^\d\. .+$/gm) ?? [];
    assert.ok(steps.length >= 3, `${type}: ${steps.length} steps`);
    assert.ok(section(text, title).includes('`{PUBLIC_URL}/connect/return`'), type);
  }
});
