import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { text } from 'node:stream/consumers';
import type { ExampleRun, FilledExample } from './example-run.ts';

/** Not every system has the program, and its place is taken by whatever makes a key. */
const UUIDGEN = 'uuidgen() { echo "$A_NEW_KEY"; }';

/** Runs each example in a shell of its own, one after another. */
export async function curlRuns(examples: readonly FilledExample[], key: string): Promise<ExampleRun[]> {
  const runs: ExampleRun[] = [];
  for (const example of examples) runs.push(await curlRun(example, key));
  return runs;
}

async function curlRun({ id, text: command, endless }: FilledExample, key: string): Promise<ExampleRun> {
  // The status is behind the body, on a line of its own.
  const options = "--silent --show-error --write-out '\\n%{http_code}'";
  const shell = spawn('sh', ['-c', `${UUIDGEN}\nexec ${command} ${options}`], {
    env: { ...process.env, TRIBUTARY_API_KEY: key, A_NEW_KEY: randomUUID() },
  });
  if (endless) shell.stdout.once('data', () => shell.kill());
  const ended = new Promise<number | null>((resolve) => shell.on('close', resolve));
  const [all, problem, code] = await Promise.all([text(shell.stdout), text(shell.stderr), ended]);
  if (endless && all !== '') return { id, printed: all, status: null, problem: null };
  const [printed, status] = [all.slice(0, -4), all.slice(-3)];
  return { id, printed, status, problem: code === 0 ? null : `${code}: ${problem}` };
}
