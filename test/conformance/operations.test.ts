import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { OPERATIONS } from '../../src/operations/operation-table.ts';
import { declaredErrors, statusesOf } from '../../src/surfaces/v2/openapi/declared-errors.ts';
import type { ErrorCode } from '../../src/vocabulary/error-codes.ts';
import { THOROUGH } from '../support/thorough.ts';
import { BANK_CODES } from './bank-faults.ts';
import { BROKER_CODES } from './broker-faults.ts';
import { ErrorStage } from './error-stage.ts';
import { ANSWERED_BEFORE, GENERIC } from './generic.ts';
import type { Provoke, Scene } from './provocation.ts';
import { SPECIFIC } from './specific.ts';
import { makeThings } from './things.ts';

/** Of the operations that declare a code which is answered before any of them, every so many are asked for it. */
const STEP = THOROUGH ? 1 : 4;
/** The same of those whose read fails at the bank or the broker, which the gateway answers for all. */
const READ_STEP = THOROUGH ? 1 : 2;
const turns = new Map<Provoke, number>(
  [GENERIC, BANK_CODES, BROKER_CODES].flatMap((codes) =>
    Object.values(codes).map((provoke, at) => [provoke, at]),
  ),
);

/** Whether it is the turn of this operation to be asked for a code that others answer in the same way. */
function isNext(provoke: Provoke, step: number): boolean {
  const turn = turns.get(provoke) ?? 0;
  turns.set(provoke, turn + 1);
  return turn % step === 0;
}

function isAsked(code: ErrorCode, provoke: Provoke | undefined): boolean {
  if (provoke === undefined) return true;
  if (provoke === BANK_CODES[code] || provoke === BROKER_CODES[code]) return isNext(provoke, READ_STEP);
  return provoke !== GENERIC[code] || !ANSWERED_BEFORE.has(code) || isNext(provoke, STEP);
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
        const provoke = SPECIFIC[operation.id]?.[code] ?? GENERIC[code];
        if (!isAsked(code, provoke)) continue;
        test(`answers code ${code}`, async () => {
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
