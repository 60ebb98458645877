import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** A process of a benchmark: it takes its task from the command line and answers with lines of JSON. */
export interface BenchChild {
  readonly pid: number;
  /** The next line it prints. */
  next(): Promise<Readonly<Record<string, unknown>>>;
  kill(): Promise<void>;
}

/** Starts `bench/<script>` as a separate process. */
export function startChild(
  script: string,
  settings: unknown,
  nodeOptions: readonly string[] = [],
): BenchChild {
  const path = fileURLToPath(new URL(`../${script}`, import.meta.url));
  const child: ChildProcess = spawn(process.execPath, [...nodeOptions, path, JSON.stringify(settings)], {
    // An open standard input: its end tells the child that its parent has ended, for whatever reason.
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  if (child.stdout === null || child.pid === undefined) throw new Error(`${script} did not start.`);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    pid: child.pid,
    next: async () => {
      const { value, done } = await lines.next();
      if (done === true) throw new Error(`${script} ended before it answered.`);
      const answer: unknown = JSON.parse(value);
      if (typeof answer !== 'object' || answer === null) throw new Error(`${script} answered oddly.`);
      return Object.fromEntries(Object.entries(answer));
    },
    kill: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    },
  };
}

/** The settings a child was started with. From here on it ends with its parent. */
export function settingsOf(): Readonly<Record<string, unknown>> {
  process.stdin.once('end', () => process.exit(0)).resume();
  const parsed: unknown = JSON.parse(process.argv[2] ?? '{}');
  if (typeof parsed !== 'object' || parsed === null)
    throw new Error('A benchmark process needs its settings.');
  return Object.fromEntries(Object.entries(parsed));
}

export function say(answer: Readonly<Record<string, unknown>>): void {
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
