import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { TOOLS } from '../../../src/operations/mcp/tool-table.ts';
import { commonService, type TestOwner, type TestService } from '../../support/service.ts';
import type { Json } from '../../support/v2-client.ts';
import {
  answerConsent,
  exchange,
  formOf,
  newVerifier,
  openConsent,
  PUBLIC_APP,
  register,
  request,
  signIn,
} from '../oauth/stage.ts';
import { type Agent, agentOf } from './support/agent.ts';

const OF_KEYS = TOOLS.filter(({ scope }) => scope === 'keys:write').map(({ name }) => name);
const ASKED = 'mcp:read data:read connections:read keys:write';

let service: TestService;
let owner: TestOwner;
before(async () => {
  service = await commonService();
  owner = await service.owner();
});
after(() => service.close());

/** Lets an app in that asks for `keys:write`; the scopes of its token, and the token. */
async function letIn(ticked: (offered: readonly string[]) => readonly string[]): Promise<[string[], string]> {
  const { body } = await register(service, PUBLIC_APP);
  const { verifier, challenge } = newVerifier();
  const browser = await signIn(service, owner);
  const resource = `${service.url}/mcp`;
  const page = await openConsent(browser, request(body.client_id, challenge, { scope: ASKED, resource }));
  assert.doesNotMatch(page.text, /value="keys:write"/, 'there is nothing to tick');
  const back = await answerConsent(browser, page, 'allow', ticked(formOf(page).ticked));
  const code = back.searchParams.get('code') ?? assert.fail(back.href);
  const answer = await exchange(service, body.client_id, code, verifier);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return [answer.body.scope.split(' ').toSorted(), answer.body.access_token];
}

async function listed(agent: Agent): Promise<string[]> {
  const names: string[] = [];
  for (let cursor: string | undefined; ; ) {
    const { body } = await agent.ask('tools/list', cursor === undefined ? {} : { cursor }, 'ListToolsResult');
    names.push(...body.result.tools.map(({ name }: Json) => name));
    cursor = body.result.nextCursor;
    if (cursor === undefined) return names;
  }
}

for (const [who, ticked] of [
  ['whose person allows what is ticked', (offered) => offered],
  ['whose person sends keys:write all the same', (offered) => [...offered, 'keys:write']],
] as readonly (readonly [string, (offered: readonly string[]) => readonly string[]])[]) {
  describe(`an app that asks for keys:write, ${who}`, () => {
    let scopes: string[];
    let token: string;
    before(async () => {
      [scopes, token] = await letIn(ticked);
    });

    test('is granted the rest of what it asked for', () => {
      assert.deepEqual(scopes, ['connections:read', 'data:read', 'mcp:read']);
    });

    test('is shown no tool that reads, makes or revokes keys: not listed, not among all tools, not found', async () => {
      assert.ok(OF_KEYS.includes('revoke_api_key'));
      for (const path of ['/mcp', '/mcp?tools=all']) {
        const names = await listed(agentOf(service.url, token, '2025-11-25', path));
        assert.ok(names.includes('list_accounts'), path);
        assert.deepEqual(
          names.filter((name) => OF_KEYS.includes(name)),
          [],
          path,
        );
      }
      for (const query of ['revoke an api key', 'list api keys', 'update key', 'disconnect connected app']) {
        const { result } = await agentOf(service.url, token).call('search_tools', { query, limit: 20 });
        for (const { name } of result.tools) assert.ok(!OF_KEYS.includes(name), `${query}: ${name}`);
      }
    });

    test('is refused when it calls one by name, and nothing happens', async () => {
      const { data } = (await owner.v2('GET', '/v2/api_keys')).body;
      for (const path of ['/mcp', '/mcp?tools=all']) {
        const agent = agentOf(service.url, token, '2025-11-25', path);
        for (const name of OF_KEYS) {
          const { http, error } = await agent.call(name, { id: data[0].id, confirm: true });
          assert.deepEqual([http.status, error.data.code], [403, 'insufficient_scope'], name);
        }
      }
      assert.deepEqual((await owner.v2('GET', '/v2/api_keys')).body.data.length, data.length);
      assert.equal((await owner.v2('GET', '/v2/me')).status, 200);
    });
  });
}
