import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { after, before, describe, test } from 'node:test';
import { OPERATIONS } from '../../src/operations/operation-table.ts';
import {
  type DescribedOperation,
  everyOperation,
} from '../../src/vocabulary/description/described-operation.ts';
import type { Description } from '../../src/vocabulary/description/description-document.ts';
import { EXAMPLES, type Language } from '../../src/vocabulary/description/examples.ts';
import { sampleRequest, sampleValues } from '../../src/vocabulary/description/sample-request.ts';
import { Stage } from '../conformance/stage.ts';
import { curlRuns } from './support/curl-runs.ts';
import type { ExampleRun, FilledExample } from './support/example-run.ts';
import { exampleWorld } from './support/example-world.ts';
import { pythonRuns } from './support/python-runs.ts';
import { typescriptRuns } from './support/typescript-runs.ts';

type Run = (examples: readonly FilledExample[], key: string) => Promise<readonly ExampleRun[]>;

const LANGUAGES: Readonly<Record<Language, { readonly program: string | null; readonly run: Run }>> = {
  curl: { program: 'curl', run: curlRuns },
  typescript: { program: null, run: typescriptRuns },
  python: { program: 'python3', run: pythonRuns },
};

let stage: Stage;
let description: Description;
let operations: readonly DescribedOperation[];
before(async () => {
  stage = await Stage.open();
  description = JSON.parse(await (await fetch(new URL('/v2/openapi.json', stage.service.url))).text());
  operations = inOrder(everyOperation(description));
});
after(() => stage?.close());

/** What takes things away comes last, and a thing before the one that it is in. */
function inOrder(all: readonly DescribedOperation[]): readonly DescribedOperation[] {
  const takesAway = ({ method, id }: DescribedOperation) => method === 'DELETE' || id === 'reset_categories';
  return [...all.filter((one) => !takesAway(one)), ...all.filter(takesAway).reverse()];
}

/** Each example as someone with things of their own sends it. */
async function filledExamples(language: Language): Promise<{ examples: FilledExample[]; key: string }> {
  const { owner, filledIn } = await exampleWorld(stage);
  const examples = operations.map((operation) => {
    const request = sampleRequest(operation, description, sampleValues(operation, description));
    const text = filledIn(operation.id, EXAMPLES[language].write(request));
    return { id: operation.id, text, endless: request.answer === 'stream' };
  });
  return { examples, key: owner.key };
}

describe('every example of the API reference runs against a real service', () => {
  for (const [language, { name }] of languages()) {
    test(`in ${name}, and is answered as its operation says`, async (context) => {
      const { program, run } = LANGUAGES[language];
      if (program !== null && spawnSync(program, ['--version']).status !== 0) {
        return context.skip(`${program} is not installed`);
      }
      const { examples, key } = await filledExamples(language);
      const runs = await run(examples, key);
      assert.deepEqual(
        runs.filter(({ problem }) => problem !== null),
        [],
      );
      for (const operation of operations) assertAnswered(operation, runs);
      for (const { id } of OPERATIONS)
        assert.ok(
          runs.some((one) => one.id === id),
          id,
        );
    });
  }
});

function languages() {
  const named: readonly Language[] = ['curl', 'typescript', 'python'];
  return named.map((language) => [language, EXAMPLES[language]] as const);
}

/** What the example of the operation printed is an answer of the status and the type that the description says. */
function assertAnswered(
  { id, answerStatus, answers }: DescribedOperation,
  runs: readonly ExampleRun[],
): void {
  const { printed, status } = runs.find((one) => one.id === id) ?? assert.fail(`${id} was not run`);
  if (status !== null) assert.equal(status, answerStatus, `${id}: ${printed}`);
  if (answers['text/event-stream'] !== undefined) assert.match(printed, /^retry: /, id);
  // As JSON, or as Node shows an object.
  if (answers['application/json'] !== undefined) assert.match(printed, /^\{[\s\S]+\}\s*$/, id);
}
