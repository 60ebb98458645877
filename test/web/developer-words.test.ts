import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { SCOPES } from '../../src/vocabulary/scopes.ts';
import { AGENT_SETUPS } from '../../web/src/developer/apps/agent-setups.ts';
import { NEW_API_KEY, SCOPE_WORDS } from '../../web/src/text/api-keys.ts';
import { AGENTS } from '../../web/src/text/apps.ts';

const page = (name: string) => readFileSync(new URL(`../../docs/${name}.md`, import.meta.url), 'utf8');

/** Rows of the table below a heading, as cells without links. */
function rowsBelow(heading: string, text: string): readonly (readonly string[])[] {
  const part = text.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  return part
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| Scope') && !line.startsWith('| Client'))
    .map((line) =>
      line
        .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

test('each scope is explained in the words of docs/scopes.md, and has a group of the form', () => {
  const told = rowsBelow('Scopes', page('scopes')).map(([scope = '', words = '']) => [
    scope.replaceAll('`', ''),
    words,
  ]);
  assert.deepEqual(told.map(([scope]) => scope).toSorted(), [...SCOPES].toSorted());
  assert.deepEqual(Object.fromEntries(told), SCOPE_WORDS);
  for (const scope of SCOPES) assert.ok(Object.hasOwn(NEW_API_KEY.groups, scope.split(':')[0] ?? ''), scope);
});

test('the page about agents names the clients of docs/mcp.md, and connects each as it says', () => {
  const rows = rowsBelow('Connecting a client', page('mcp'));
  const documented = new Map(rows.map(([client = '', how = '']) => [client.replace(/ \(.*/, ''), how]));
  assert.deepEqual([...documented.keys()].toSorted(), Object.values(AGENTS.agents).toSorted());
  const said = (name: string) => (documented.get(name) ?? '').replaceAll('{MCP_URL}', 'https://mcp.example');
  const url = 'https://mcp.example/mcp';
  const { claudeCode, cursor, vscode, inspector } = AGENT_SETUPS;
  const plain = (text: string | undefined) => (text ?? '').replaceAll("'", '');
  assert.ok(said('Claude Code').includes(plain(claudeCode.signedIn?.(url))));
  assert.ok(said('MCP Inspector').includes(inspector.signedIn?.(url) ?? 'nothing'));
  for (const [name, setup] of [
    ['Cursor', cursor],
    ['VS Code', vscode],
  ] as const) {
    const shown = /`(\{.*?\} ?\})`/.exec(said(name))?.[1] ?? '';
    assert.deepEqual(JSON.parse(shown), JSON.parse(setup.signedIn?.(url) ?? ''), name);
  }
});
