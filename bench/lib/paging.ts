import { MIB, peakMemoryOf } from '../../scripts/lib/peak-memory.ts';
import { startChild } from './child.ts';
import { type Ratio, type Round, ratiosOf } from './ratio.ts';

const FEW = 10_000;
const MANY = 10_000_000;
const HEAP = ['--max-semi-space-size=8'];

/**
 * The peak memory of a process that reads ten million rows of one account, compared with ten thousand. In MiB, on
 * Linux.
 */
export async function comparePaging(rounds: number): Promise<Ratio> {
  const measured: Round[] = [];
  for (let round = 0; round < rounds; round++) {
    const reference = await peakOf(FEW);
    measured.push({ ours: await peakOf(MANY), reference });
  }
  const note = `${MANY.toLocaleString('en')} rows; ${FEW.toLocaleString('en')} rows`;
  return ratiosOf('peak memory of paging through one account', 'MiB', note, measured);
}

async function peakOf(rows: number): Promise<number> {
  const simulator = startChild('simulator.ts', {});
  const { url } = await simulator.next();
  const reader = startChild('paging.ts', { url, rows }, HEAP);
  try {
    const answer = await reader.next();
    if (answer.rows !== rows) throw new Error(`${String(answer.rows)} of ${rows} rows came.`);
    const peak = peakMemoryOf(reader.pid);
    if (peak === null)
      throw new Error('This system does not tell how much memory a process had; run it on Linux.');
    return peak / MIB;
  } finally {
    await reader.kill();
    await simulator.kill();
  }
}
