import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LEFT_OUT } from '../../src/operations/mcp/left-out.ts';
import { PROMPTS } from '../../src/operations/mcp/prompts/prompt-table.ts';
import type { Tool } from '../../src/operations/mcp/tool.ts';
import { FIRST_TOOLS, TOOLS } from '../../src/operations/mcp/tool-table.ts';
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
