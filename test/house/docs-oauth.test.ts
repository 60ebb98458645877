import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OAUTH_PATHS, RESOURCE_METADATA_PATH } from '../../src/features/oauth/oauth-resources.ts';
import { isLimitName, LIMITS } from '../../src/vocabulary/limits.ts';
import { AGENT_SCOPES, OAUTH_SCOPE_NAMES, OAUTH_SCOPES } from '../../src/vocabulary/oauth-scopes.ts';
import { cell, plain, tableRows } from './markdown.ts';
import { readText } from './tree.ts';

const page = readText('docs/oauth.md');

test('docs/oauth.md has the scopes that an app can be granted, in the order and words of the consent page', () => {
  const rows = tableRows(page, 'The consent page');
  assert.deepEqual(
    rows.map((row) => [plain(cell(row, 'Scope')), plain(cell(row, 'Group')), cell(row, 'It may')]),
    OAUTH_SCOPE_NAMES.map((name) => [name, OAUTH_SCOPES[name].group, OAUTH_SCOPES[name].allows]),
  );
});

test('docs/scopes.md has the scopes of agents', () => {
  const rows = tableRows(readText('docs/scopes.md'), 'Agents');
  assert.deepEqual(
    rows.map((row) => plain(cell(row, 'Scope'))),
    [...AGENT_SCOPES],
  );
});

test('docs/oauth.md has the addresses of the service', () => {
  const addresses = tableRows(page, 'Finding the server').map((row) => cell(row, 'Address'));
  const { consent: _page, ...endpoints } = OAUTH_PATHS;
  const paths = [...Object.values(endpoints).map((path) => `{app_url}${path}`)];
  for (const path of [
    ...paths,
    `{mcp_url}${RESOURCE_METADATA_PATH}/mcp`,
    `{base_url}${RESOURCE_METADATA_PATH}/v2`,
  ]) {
    assert.ok(
      addresses.some((address) => address.includes(`\`${path}\``)),
      path,
    );
  }
  assert.equal(addresses.length, paths.length + 2);
});

test('docs/oauth.md has the lifetimes of docs/limits.md', () => {
  const rows = tableRows(page, 'Tokens');
  assert.equal(rows.length, 4);
  for (const row of rows) {
    const name = /`(\w+)`/.exec(cell(row, 'Limit'))?.[1] ?? '';
    assert.ok(isLimitName(name), name);
    const { default: value, unit } = LIMITS[name];
    assert.ok(cell(row, 'Lives for').startsWith(`${value} ${unit}`), name);
  }
});
