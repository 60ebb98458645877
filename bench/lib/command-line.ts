import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ServiceChild } from '../../scripts/lib/service-child.ts';
import { freePort } from '../../src/platform/free-port.ts';
import { type Ratio, type Round, ratiosOf } from './ratio.ts';

const LAUNCHER = fileURLToPath(new URL('../../bin/tributary.js', import.meta.url));
const LIST = [LAUNCHER, 'account', 'list'];
const BARE = ['-e', '0'];
/** The start of a process varies more than its work: each side of a round is the best of these. */
const TRIES = 5;
/** Reports at its end the peak memory of the process, in KiB. */
const SAYS_PEAK = `data:text/javascript,${encodeURIComponent(
  "process.on('exit', () => process.stderr.write('peak ' + process.resourceUsage().maxRSS))",
)}`;

/** `account list`, answered by a running server and by the storage itself, compared with a Node that does nothing. */
export async function compareCommandLine(rounds: number): Promise<Ratio[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'tributary-bench-command-line-'));
  const service = new ServiceChild({ dataDir, port: await freePort('127.0.0.1'), env: {} });
  try {
    service.launch();
    await service.ready();
    await service.newKey();
    const asked = await roundsOf(rounds, dataDir, timeOf);
    const memory = await roundsOf(rounds, dataDir, peakOf);
    await service.stop();
    const alone = await roundsOf(rounds, dataDir, timeOf);
    return [
      ratiosOf('account list through a running server', 'ms', 'node -e 0', asked),
      ratiosOf('peak memory of account list through a running server', 'KiB', 'node -e 0', memory),
      ratiosOf('account list on the embedded database itself', 'ms', 'node -e 0', alone),
    ];
  } finally {
    await service.kill();
    await rm(dataDir, { recursive: true, force: true });
  }
}

type Measure = (args: readonly string[], dataDir: string) => Promise<number>;

async function roundsOf(rounds: number, dataDir: string, measure: Measure): Promise<Round[]> {
  const found: Round[] = [];
  for (let round = 0; round < rounds; round++) {
    let [ours, reference] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    for (let attempt = 0; attempt < TRIES; attempt++) {
      reference = Math.min(reference, await measure(BARE, dataDir));
      ours = Math.min(ours, await measure(LIST, dataDir));
    }
    found.push({ ours, reference });
  }
  return found;
}

async function timeOf(args: readonly string[], dataDir: string): Promise<number> {
  const began = performance.now();
  await run(args, dataDir);
  return performance.now() - began;
}

async function peakOf(args: readonly string[], dataDir: string): Promise<number> {
  const said = await run(['--import', SAYS_PEAK, ...args], dataDir);
  const peak = /peak (\d+)/.exec(said)?.[1];
  if (peak === undefined) throw new Error(`A measured process says of its memory: ${said}`);
  return Number(peak);
}

/** Runs Node until it exits; returns its standard error. */
function run(args: readonly string[], dataDir: string): Promise<string> {
  const child = spawn(process.execPath, [...args], {
    env: { PATH: process.env.PATH, DATA_DIR: dataDir },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) resolve(said);
      else reject(new Error(`node ${args.join(' ')} ended with ${code}: ${said}`));
    });
  });
}
