import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { request } from 'undici';
import { askServer } from '../../src/surfaces/cli/control/control-client.ts';

const MAIN = fileURLToPath(new URL('../../bin/tributary.js', import.meta.url));
/** The runtime options of `npm start` (package.json). */
const AS_STARTED = ['--max-semi-space-size=8'];
const READY_DEADLINE_MS = 180_000;
const POLL_MS = 10;

export interface ServiceSettings {
  readonly dataDir: string;
  readonly port: number;
  /** Further variables of the environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Further options of the runtime, such as a profiler's. */
  readonly nodeOptions?: readonly string[];
  /** `bin/tributary.js` of another version. */
  readonly main?: string;
}

/** The service as a separate process, which can be killed and started again on the same data. */
export class ServiceChild {
  readonly url: string;
  readonly #settings: ServiceSettings;
  #child: ChildProcess | null = null;
  #errors = '';
  /** A service that outlived its script would keep the port and the directory. */
  readonly #abandon = (): void => {
    this.#child?.kill('SIGKILL');
  };

  constructor(settings: ServiceSettings) {
    this.#settings = settings;
    this.url = `http://127.0.0.1:${settings.port}`;
  }

  /** Starts the process and returns at once. */
  launch(): void {
    const { dataDir, port, env, nodeOptions = [], main = MAIN } = this.#settings;
    const child = spawn(process.execPath, [...AS_STARTED, ...nodeOptions, main, 'serve', '--json'], {
      env: {
        PATH: process.env.PATH,
        DATA_DIR: dataDir,
        PORT: String(port),
        METRICS_PORT: '0',
        LOG_LEVEL: 'error',
        ...env,
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#errors = (this.#errors + text).slice(-4000);
    });
    this.#child = child;
    process.once('exit', this.#abandon);
  }

  /** Waits until the service says it is ready; returns the milliseconds that took. */
  async ready(): Promise<number> {
    const started = performance.now();
    while (performance.now() - started < READY_DEADLINE_MS) {
      const child = this.#child;
      if (child === null || child.exitCode !== null) {
        throw new Error(`The service ended unexpectedly (${child?.exitCode}): ${this.#errors}`);
      }
      const status = await request(`${this.url}/readyz`)
        .then(async ({ statusCode, body }) => {
          await body.dump();
          return statusCode;
        })
        .catch(() => 0);
      if (status === 200) return performance.now() - started;
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
    throw new Error(`The service was not ready within three minutes: ${this.#errors}`);
  }

  /** SIGKILL, so that the process cannot react. Resolves once it is gone. */
  async kill(): Promise<void> {
    await this.#end('SIGKILL');
  }

  /** SIGTERM, and SIGKILL when that takes too long. Returns the exit code. */
  async stop(): Promise<number | null> {
    const late = setTimeout(() => this.#child?.kill('SIGKILL'), 30_000);
    const code = await this.#end('SIGTERM');
    clearTimeout(late);
    return code;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** A command over the control socket. */
  async command(command: string, args: Readonly<Record<string, unknown>>): Promise<Record<string, unknown>> {
    const request = { command, args };
    let answer = await askServer(this.#settings.dataDir, request);
    // The service answers over HTTP a moment before it opens the socket.
    for (let attempt = 0; answer === null && attempt < 100; attempt++) {
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      answer = await askServer(this.#settings.dataDir, request);
    }
    if (answer === null || typeof answer.result !== 'object' || answer.result === null) {
      throw new Error(`The service did not answer ${command}.`);
    }
    return Object.fromEntries(Object.entries(answer.result));
  }

  /** An account record with a key of every scope. */
  async newKey(): Promise<string> {
    const account = await this.command('account create', { email: 'owner@example.com' });
    const key = await this.command('key create', { account: account.id, name: 'Script', scopes: 'all' });
    return String(key.secret);
  }

  async #end(signal: NodeJS.Signals): Promise<number | null> {
    const child = this.#child;
    this.#child = null;
    process.off('exit', this.#abandon);
    if (child === null || child.exitCode !== null || child.signalCode !== null)
      return child?.exitCode ?? null;
    const gone = once(child, 'exit');
    child.kill(signal);
    await gone;
    return child.exitCode;
  }
}
