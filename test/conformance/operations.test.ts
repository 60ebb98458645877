import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { OPERATIONS } from '../../src/operations/operation-table.ts';
import { declaredErrors, statusesOf } from '../../src/surfaces/v2/openapi/declared-errors.ts';
import type { ErrorCode } from '../../src/vocabulary/error-codes.ts';
import { THOROUGH } from '../support/thorough.ts';
import { ErrorStage } from './error-stage.ts';
import { ANSWERED_BEFORE, GENERIC } from './generic.ts';
import type { Scene } from './provocation.ts';
import { SPECIFIC } from './specific.ts';
import { makeThings } from './things.ts';

/** Of the operations that declare a code which is answered before any of them, so many are asked for it once. */
const STEP = THOROUGH ? 1 : 4;
const turns = new Map([...ANSWERED_BEFORE].map((code, at) => [code, at]));

/** Whether it is the turn of this operation to be asked for the code. */
function isNext(code: ErrorCode): boolean {
  const turn = turns.get(code) ?? 0;
  turns.set(code, turn + 1);
  return turn % STEP === 0;
}

/**
 * Walks the operation table: every code an operation declares is provoked over HTTP. An operation or a code without a
 * provocation fails here, so none can be added without being covered.
 */
describe('every operation answers each error it declares', () => {
  let scene: Scene;

  before(async () => {
    const stage = await ErrorStage.open();
    scene = { stage, things: await makeThings(await stage.linked(), stage.service) };
  });
  after(() => scene.stage.close());

  for (const operation of OPERATIONS) {
    describe(operation.id, () => {
      for (const code of declaredErrors(operation)) {
        if (ANSWERED_BEFORE.has(code) && SPECIFIC[operation.id]?.[code] === undefined && !isNext(code))
          continue;
        test(`answers code ${code}`, async () => {
          const provoke = SPECIFIC[operation.id]?.[code] ?? GENERIC[code];
          assert.ok(provoke, `Nothing in test/conformance provokes ${code} of ${operation.id}.`);
          const ask = () => provoke(scene, operation);
          const answer = await (code === 'upstream_timeout' ? scene.stage.impatiently(ask) : ask());
          assert.equal(answer.body?.error?.code, code, JSON.stringify(answer.body));
          assert.ok(statusesOf(code).includes(answer.status), `status ${answer.status}`);
        });
      }
    });
  }

  test('and nothing is provoked that is not declared', () => {
    const declared = new Map(
      OPERATIONS.map((operation) => [operation.id, new Set(declaredErrors(operation))]),
    );
    for (const [id, provocations] of Object.entries(SPECIFIC)) {
      for (const code of Object.keys(provocations)) {
        assert.ok(
          [...(declared.get(id) ?? [])].some((known) => known === code),
          `${id} does not declare ${code}`,
        );
      }
    }
  });
});
