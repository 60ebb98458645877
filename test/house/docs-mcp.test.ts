import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FOREIGN_IN_FAILURES, foreignTextOf } from '../../src/operations/mcp/foreign-text.ts';
import { isObject, type Json } from '../../src/operations/mcp/json-schema.ts';
import { PROMPTS } from '../../src/operations/mcp/prompts.ts';
import { LEFT_OUT } from '../../src/operations/mcp/search-tools.ts';
import type { Tool } from '../../src/operations/mcp/tool.ts';
import { FIRST_TOOLS, TOOLS, toolNamed } from '../../src/operations/mcp/tool-table.ts';
import { LEFT_OUT_CHECKS, LEFT_OUT_SCENARIOS } from '../surfaces/mcp/support/left-out-scenarios.ts';
import { cell, plain, tableRows } from './markdown.ts';
import { readText } from './tree.ts';

const page = readText('docs/mcp.md');

function needsOf({ scope, orScopes = [], alsoScopes, agentScopes }: Tool): string {
  const either = scope === null ? [] : [[scope, ...orScopes].join(' or ')];
  return [...agentScopes, ...either, ...alsoScopes].join(', ') || 'none';
}

test('docs/mcp.md shows every tool in its order, with its kind, tier and scopes, and no other', () => {
  const shown = tableRows(page, 'All tools').map((row) =>
    ['Tool', 'Kind', 'Tier', 'Needs', 'Listed'].map((column) => cell(row, column).replaceAll('`', '')),
  );
  const kindOf = ({ hints }: Tool): string =>
    hints.readOnlyHint ? 'reads' : hints.destructiveHint ? 'removes' : 'writes';
  assert.deepEqual(
    shown,
    TOOLS.map((tool) => [
      tool.name,
      kindOf(tool),
      tool.tier,
      needsOf(tool),
      FIRST_TOOLS.includes(tool) ? 'first' : 'all',
    ]),
  );
});

test('docs/mcp.md shows every operation that no tool offers, every prompt, and what does not apply of the suites', () => {
  const pairs = (heading: string, name: string, text: string) =>
    Object.fromEntries(tableRows(page, heading).map((row) => [plain(cell(row, name)), cell(row, text)]));
  assert.deepEqual(pairs('Left out', 'Operation', 'Why'), LEFT_OUT);
  assert.deepEqual(
    pairs('Prompts', 'Prompt', 'What it is for'),
    Object.fromEntries(PROMPTS.map(({ name, description }) => [name, description])),
  );
  assert.deepEqual(pairs('Conformance', 'Scenario or check', 'Why it does not apply'), {
    ...LEFT_OUT_SCENARIOS,
    ...LEFT_OUT_CHECKS,
  });
});

test('docs/mcp.md says which text of others is marked, and shows every form that is not', () => {
  const quoted = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, one = '']) => one);
  const marked = examplesUnder('Marked').map(quoted);
  assert.deepEqual(marked.pop(), FOREIGN_IN_FAILURES);
  for (const names of marked) {
    assert.ok(names.length > 0 && names.length % 2 === 0, names.join());
    for (let at = 0; at < names.length; at += 2) {
      const [tool = '', path = ''] = names.slice(at);
      assert.ok(foreignTextOf(toolNamed(tool) ?? assert.fail(tool)).includes(path), `${tool} ${path}`);
    }
  }
  const values = examplesUnder('Not marked').flatMap(quoted);
  const patterns = TOOLS.flatMap((tool) => unmarkedPatterns(tool.output, '', new Set(foreignTextOf(tool))));
  assert.ok(patterns.length > 100);
  for (const value of values)
    assert.ok(
      patterns.some((one) => one.test(value)),
      value,
    );
  const ofIds = /\^[a-z]+_\[0-9A-Za-z\]\{22\}\$/;
  for (const pattern of patterns)
    assert.ok(ofIds.test(pattern.source) || values.some((value) => pattern.test(value)), pattern.source);
});

function examplesUnder(heading: string): string[] {
  return tableRows(page, 'What is marked')
    .filter((row) => Object.hasOwn(row, heading))
    .map((row) => cell(row, 'Such as'));
}

/** The patterns of all texts of an answer that are not marked; an id of any row of the service counts as shown. */
function unmarkedPatterns(schema: Json | undefined, path: string, marked: ReadonlySet<string>): RegExp[] {
  if (schema === undefined || !isObject(schema) || marked.has(path)) return [];
  const { anyOf = [], properties = {}, items, pattern, format } = schema;
  if (format === 'uuid') return [/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/];
  return [
    ...(typeof pattern === 'string' ? [new RegExp(pattern)] : []),
    ...(Array.isArray(anyOf) ? anyOf.flatMap((one) => unmarkedPatterns(one, path, marked)) : []),
    ...unmarkedPatterns(items, `${path}[]`, marked),
    ...(isObject(properties)
      ? Object.entries(properties).flatMap(([name, one]) =>
          unmarkedPatterns(one, path === '' ? name : `${path}.${name}`, marked),
        )
      : []),
  ];
}
