import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { toolNamed, toolNameOf } from '../../src/operations/mcp/tool-table.ts';
import type { Operation } from '../../src/operations/operation.ts';
import { OPERATIONS } from '../../src/operations/operation-table.ts';
import { argumentsOf } from '../support/tool-arguments.ts';
import { agentOf, type Called } from '../surfaces/mcp/support/agent.ts';
import { type Ask, send, type Thing, thingsInPath, unknownId } from './asks.ts';
import { fieldsNamedLikeThings, ID_FIELDS, pathWith } from './id-fields.ts';
import { askAbout } from './inputs.ts';
import { Stage } from './stage.ts';
import { makeThings, type Things } from './things.ts';

/** For each operation and each place in it that names something: another owner's id is no different from no one's. */
describe("another owner's id is answered exactly as an id that no one has, over v2 and by its tool", () => {
  let stage: Stage;
  let victim: Things;
  let stranger: Things;

  before(async () => {
    stage = await Stage.open();
    victim = await makeThings(await stage.linked(), stage.service);
    stranger = await makeThings(await stage.linked('sole-trader'), stage.service);
  });
  after(() => stage.close());

  const same = async (operation: Operation, thing: Thing, ask: (id: string) => Ask): Promise<void> => {
    const foreign = await send(stranger.owner, ask(victim.ids(thing)));
    const unknown = await send(stranger.owner, ask(unknownId(thing)));
    const code = thing === 'transaction' ? 'transaction_not_found' : 'resource_missing';
    assert.deepEqual([foreign.status, foreign.body?.error?.code], [404, code], JSON.stringify(foreign.body));
    assert.equal(unsigned(foreign.body), unsigned(unknown.body));
    const tool = toolNamed(toolNameOf(operation.id));
    if (tool === null) return;
    const agent = agentOf(stage.service.url, stranger.owner.key);
    const called = async (id: string): Promise<Called> => {
      const args = argumentsOf(operation, ask(id));
      return agent.call(tool.name, tool.hints.destructiveHint ? { ...args, confirm: true } : args);
    };
    const [theirs, nobodys] = [await called(victim.ids(thing)), await called(unknownId(thing))];
    assert.equal(theirs.failure?.code, code, theirs.http.text);
    assert.equal(unsigned(theirs.failure), unsigned(nobodys.failure));
  };

  for (const operation of OPERATIONS) {
    thingsInPath(operation).forEach((thing, at) => {
      test(`${operation.id}: the ${thing} in its path`, () =>
        same(operation, thing, (id) => ({
          ...askAbout(operation, stranger.ids),
          path: pathWith(operation, stranger.ids, at, id),
        })));
    });
    for (const field of ID_FIELDS[operation.id] ?? []) {
      test(`${operation.id}: the ${field.thing} in ${field.name}`, () =>
        same(operation, field.thing, (id) => field.ask(operation, stranger.ids, id)));
    }
  }

  test('no operation has a field that looks like an id and is not asked about here', () => {
    for (const operation of OPERATIONS) {
      const asked = new Set((ID_FIELDS[operation.id] ?? []).map((field) => field.name));
      for (const name of fieldsNamedLikeThings(operation)) {
        assert.ok(asked.has(name), `Say in ID_FIELDS what ${name} of ${operation.id} names.`);
      }
    }
  });
});

function unsigned(body: unknown): string {
  return JSON.stringify(body).replace(/req_[0-9a-z]+/, '');
}
