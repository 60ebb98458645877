import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { main } from '../../../src/app/command-line.ts';

const MAIN = fileURLToPath(new URL('../../../bin/tributary.js', import.meta.url));

export type Ended = { readonly code: number | null; readonly stdout: string; readonly stderr: string };

/** Starts the command line as a shell would, with nothing of our own environment but the path. */
export function startTributary(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  readonly stdout: () => string;
  readonly stderr: () => string;
} {
  const child = spawn(process.execPath, [MAIN, ...args], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, stdout, stderr }));
  });
  return { child, ended, stdout: () => stdout, stderr: () => stderr };
}

/** Runs it to its end. */
export function tributary(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  return startTributary(args, env).ended;
}

/**
 * The same command line in this process, which spares the seconds that a process takes to load it. For commands of the
 * command table and `doctor`; what a process makes of `main` is the subject of installation.test.ts.
 */
export async function tributaryInProcess(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  let [stdout, stderr] = ['', ''];
  const code = await main(args, env, undefined, {
    out: (text) => {
      stdout += text;
    },
    error: (text) => {
      stderr += text;
    },
  });
  return { code, stdout, stderr };
}
