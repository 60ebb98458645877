import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Ajv } from 'ajv';
import { toolNamed, toolNameOf } from '../../src/operations/mcp/tool-table.ts';
import { OPERATIONS } from '../../src/operations/operation-table.ts';
import { argumentsOf } from '../support/tool-arguments.ts';
import type { Answer, Json } from '../support/v2-client.ts';
import { type Agent, agentOf } from '../surfaces/mcp/support/agent.ts';
import { send } from './asks.ts';
import { askAbout } from './inputs.ts';
import { Stage } from './stage.ts';
import { makeThings, type Things } from './things.ts';

/** Members that say when something was looked at, which no two looks have in common. */
const OF_THE_LOOK =
  /"(observed_at|as_of|request_id|last_used_at|last_updated_at|checked_at)":("[^"]*"|null)/g;

describe('the tool of a read answers what the same request of v2 answers', () => {
  let stage: Stage;
  let banking: Things;
  let brokerage: Things['owner'];
  const agents = new Map<string, Agent>();
  const ajv = new Ajv({ strict: false, validateFormats: false });

  before(async () => {
    stage = await Stage.open();
    banking = await makeThings(await stage.linked(), stage.service);
    brokerage = await stage.brokerage();
    for (const { key } of [banking.owner, brokerage])
      agents.set(key, agentOf(stage.service.url, key, '2026-07-28'));
  });
  after(() => stage.close());

  for (const operation of OPERATIONS) {
    const tool = toolNamed(toolNameOf(operation.id));
    if (operation.effect !== 'reads' || tool === null || operation.streamed !== null) continue;
    test(operation.id, async () => {
      const owner = operation.planGate === 'brokerage_data' ? brokerage : banking.owner;
      const ids = (thing: Parameters<Things['ids']>[0]): string =>
        thing === 'account' ? owner.account : banking.ids(thing);
      const ask = askAbout(operation, ids);
      const over = await send(owner, ask);
      const agent = agents.get(owner.key) ?? assert.fail();
      const args = argumentsOf(operation, ask);
      const { result, failure, error } = await agent.call(tool.name, args);
      if (over.status >= 400) {
        assert.equal(failure?.code ?? error?.data.code, over.body.error.code, operation.id);
        return;
      }
      assert.deepEqual([failure, error], [null, null]);
      assert.equal(seen(withoutPages(result)), seen(withoutPages(over.body)));
      assert.ok(ajv.validate(tool.output, result), ajv.errorsText());
      if ('next_page' in result) assert.equal(result.next_page === null, over.body.next_page_url === null);
      const truncated = over.headers.get('x-service-truncated') === 'true';
      if ('truncated' in result) assert.equal(result.truncated, truncated);
    });
  }
});

function withoutPages(answer: Answer['body']): Json {
  const {
    next_page: _next,
    next_cursor: _cursor,
    truncated: _truncated,
    next_page_url: _url,
    previous_page_url: _previous,
    ...rest
  } = answer;
  return rest;
}

function seen(answer: Json): string {
  return JSON.stringify(answer).replaceAll(OF_THE_LOOK, '"$1":null');
}
