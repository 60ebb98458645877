import { fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { scratchDirectory } from '../../support/scratch.ts';
import type { ExampleRun, FilledExample } from './example-run.ts';

/** Runs each example as a module, all in one process. */
export async function typescriptRuns(examples: readonly FilledExample[], key: string): Promise<ExampleRun[]> {
  const folder = await scratchDirectory();
  const modules = await Promise.all(
    examples.map(async ({ id, text, endless }) => {
      const file = join(folder, `${id}.mts`);
      await writeFile(file, text);
      return { id, endless, url: pathToFileURL(file).href };
    }),
  );
  const runner = fork(new URL('./module-runner.ts', import.meta.url), {
    env: { ...process.env, TRIBUTARY_API_KEY: key },
    execArgv: [],
  });
  const runs: ExampleRun[] = [];
  runner.on('message', (run: ExampleRun) => runs.push(run));
  runner.send(modules);
  await once(runner, 'exit');
  return runs;
}
