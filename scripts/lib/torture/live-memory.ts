import { readFileSync, writeFileSync } from 'node:fs';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { median } from '../numbers.ts';
import { MIB } from '../peak-memory.ts';

const QUARTERS = 4;
const HOUR_MS = 3_600_000;

const Sample = Type.Object({
  at: Type.Integer(),
  pid: Type.Integer(),
  rss: Type.Number(),
  live: Type.Number(),
  code: Type.Number(),
});

/** Resident, kept after a full garbage collection without compiled code, and compiled code. */
export const MEMORY_KINDS = ['live', 'code', 'rss'] as const;
export type MemoryKind = (typeof MEMORY_KINDS)[number];

/** How the memory of one process changed, in MiB. */
export interface MemoryTrend {
  /**
   * What a tenth of the samples in each quarter of the time are below: a leak is never given back, so it raises the
   * lowest samples too, and those were taken while no run had pages in memory.
   */
  readonly quarters: readonly number[];
  /** From the first of them to the last. */
  readonly perHour: number;
  readonly samples: number;
}

function lowOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 10)] ?? 0;
}

/** Samples the memory of processes after a full garbage collection (memory-preload.js). */
export class LiveMemory {
  readonly #path: string;

  /** @param path of a file for the samples */
  constructor(path: string) {
    this.#path = path;
    writeFileSync(path, '');
  }

  /** For `--import`, with the file's path in the environment. */
  get nodeOptions(): readonly string[] {
    return ['--expose-gc', '--import', new URL('./memory-preload.js', import.meta.url).href];
  }

  get env(): Readonly<Record<string, string>> {
    return { SOAK_MEMORY: this.#path };
  }

  /** Asks processes for a sample. One that has just ended gives none. */
  sample(pids: readonly (number | undefined)[]): void {
    for (const pid of pids) if (pid !== undefined) process.kill(pid, 'SIGUSR2');
  }

  /** What a process kept after each collection from a moment on (epoch ms); null with fewer than four samples. */
  trend(pid: number | undefined, of: MemoryKind, from: number): MemoryTrend | null {
    const given = readFileSync(this.#path, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line): unknown => JSON.parse(line))
      .filter((sample) => Value.Check(Sample, sample))
      .filter((sample) => sample.pid === pid);
    const points = given
      .map((sample) => ({ at: sample.at, mib: sample[of] / MIB }))
      .filter(({ at }) => at >= from);
    if (points.length < QUARTERS) return null;
    const quarters = Array.from({ length: QUARTERS }, (_, at) => {
      const from = Math.floor((at * points.length) / QUARTERS);
      const some = points.slice(from, Math.floor(((at + 1) * points.length) / QUARTERS));
      return { at: median(some.map((one) => one.at)), mib: lowOf(some.map(({ mib }) => mib)) };
    });
    const [first, last] = [quarters[0], quarters.at(-1)];
    if (first === undefined || last === undefined) return null;
    const perHour = ((last.mib - first.mib) / (last.at - first.at)) * HOUR_MS;
    return { quarters: quarters.map(({ mib }) => mib), perHour, samples: points.length };
  }
}
