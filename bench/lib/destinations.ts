import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { request } from 'undici';
import { MIB, peakMemoryOf } from '../../scripts/lib/peak-memory.ts';
import type { DestinationType } from '../../src/vocabulary/destination-kinds.ts';
import { type BenchChild, startChild } from './child.ts';
import type { OutgoingCounts } from './counted-http.ts';
import { type Ratio, ratiosOf } from './ratio.ts';

const FEW = 1_000;
/** Where browsers would reach the simulators' pages; nothing listens there. */
const PAGES_URL = 'http://127.0.0.1:9';
/** As `npm start` starts the service. */
const NODE_OPTIONS = ['--max-semi-space-size=8'];
const SHEETS_BODY_BYTES = 2 * 1024 * 1024;

/** The least writes that this many rows need, given the vendors' batch sizes (docs/destination-services.md). */
const LEAST: Readonly<
  Partial<Record<DestinationType, (rows: number, bytes: number) => { writes: number; because: string }>>
> = {
  sheets: (_, bytes) => ({ writes: Math.ceil(bytes / SHEETS_BODY_BYTES), because: 'bodies of 2 MiB' }),
  notion: (rows) => ({ writes: rows, because: 'a call makes one page' }),
  airtable: (rows) => ({ writes: Math.ceil(rows / 10), because: '10 records a call' }),
  ynab: (rows) => ({ writes: Math.ceil(rows / 500), because: '500 transactions a call' }),
  postgres: (rows) => ({ writes: Math.ceil(rows / 1000) * 3, because: 'ours: 3 statements for 1,000 rows' }),
  actual: (rows) => ({ writes: Math.ceil(rows / 500), because: 'ours: 500 transactions a call' }),
  webhook: (rows) => ({ writes: Math.ceil(rows / 500), because: '500 rows a delivery' }),
};

interface Measured extends OutgoingCounts {
  /** Calls of a second run, with nothing new. */
  readonly idleCalls: number;
  readonly peakMib: number;
}

/**
 * A first sync of `rows` rows to each destination, and of a few: calls compared with the minimum, and memory compared
 * with that of a few rows.
 */
export async function compareDestinations(rows: number): Promise<Ratio[]> {
  const found: Ratio[] = [];
  for (const [name, leastOf] of Object.entries(LEAST)) {
    const few = await measured(name, FEW);
    const many = await measured(name, rows);
    const least = leastOf(rows, many.bytes);
    const of = (what: string, unit: string, note: string, ours: number, reference: number): Ratio =>
      ratiosOf(`${what} of ${rows} rows to ${name}`, unit, note, [{ ours, reference }]);
    found.push(
      of('writes of a sync', 'requests', least.because, many.writes, least.writes),
      of('reads of a sync', 'requests', 'against the writes', many.reads, many.writes),
      of('requests of a second sync', 'requests', 'nothing new; against one', many.idleCalls, 1),
      of('peak memory of a sync', 'MiB', `${FEW} rows`, many.peakMib, few.peakMib),
    );
  }
  return found;
}

async function measured(type: string, rows: number): Promise<Measured> {
  const directory = await mkdtemp(join(tmpdir(), 'tributary-bench-destination-'));
  const stateFile = join(directory, 'state.json');
  const vendor =
    type === 'webhook'
      ? startChild('receiver.ts', {})
      : startChild('destination-simulator.ts', { type, pagesUrl: PAGES_URL, stateFile });
  let engine: BenchChild | null = null;
  try {
    const place = await vendor.next();
    engine = startChild('destination.ts', { ...place, type, rows, pagesUrl: PAGES_URL }, NODE_OPTIONS);
    const said = await engine.next();
    const peak = peakMemoryOf(engine.pid);
    if (peak === null) throw new Error('This system does not say how much memory a process had.');
    const number = (name: string): number => {
      const value = said[name];
      if (typeof value !== 'number')
        throw new Error(`A sync to ${type} ended oddly: ${JSON.stringify(said)}`);
      return value;
    };
    if (number('added') !== rows) throw new Error(`A sync to ${type} ended oddly: ${JSON.stringify(said)}`);
    await checkArrived(type, String(place.control ?? place.url), rows);
    return {
      reads: number('reads'),
      writes: number('writes'),
      bytes: number('bytes'),
      idleCalls: number('idleCalls'),
      peakMib: peak / MIB,
    };
  } finally {
    await engine?.kill();
    await vendor.kill();
    await rm(directory, { recursive: true, force: true });
  }
}

async function checkArrived(type: string, address: string, rows: number): Promise<void> {
  const answer = await (await request(address)).body.text();
  const there = /"rows":(\d+)/.exec(answer)?.[1];
  if (Number(there) !== rows || !/"twice":0|^{"rows":\d+}$/.test(answer))
    throw new Error(`Of ${rows} rows, ${type} has: ${answer}`);
}
