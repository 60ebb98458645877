import { processorSeconds } from '../../scripts/lib/processor-time.ts';
import { type Ratio, type Round, ratiosOf } from './ratio.ts';

export interface Work {
  readonly units: number;
  readonly seconds: number;
}
interface Cost extends Work {
  /** Seconds of the processor. */
  readonly processor: number;
}
type SideName = keyof Round;

export interface Alternation {
  readonly rounds: number;
  /** Of the service. */
  readonly pid: number | undefined;
  /** Switches the service to one side. */
  readonly become: (side: SideName) => Promise<void>;
}

/**
 * The cost of the same work on two sides of one service: by time, and by the processor time of the service, which is
 * less affected by other work on the machine. In each round one side goes first and last and the other twice in
 * between, so that a steady slowdown affects both.
 *
 * @param measure does the work and waits until it has no further effects
 */
export async function compareAlternated(
  { rounds, pid, become }: Alternation,
  measure: () => Promise<Work>,
  { name, unit, note }: { readonly name: string; readonly unit: string; readonly note: string },
): Promise<Ratio[]> {
  if (pid === undefined) throw new Error('The service is not running.');
  const costOf = async (side: SideName): Promise<Cost> => {
    await become(side);
    const before = processorSeconds(pid);
    const work = await measure();
    return { ...work, processor: processorSeconds(pid) - before };
  };
  await measure();
  const found: Record<SideName, readonly Cost[]>[] = [];
  for (let round = 0; round < rounds; round++) {
    const [outer, inner] =
      round % 2 === 0 ? (['ours', 'reference'] as const) : (['reference', 'ours'] as const);
    const first = await costOf(outer);
    const within = [await costOf(inner), await costOf(inner)];
    const around = [first, await costOf(outer)];
    found.push(outer === 'ours' ? { ours: around, reference: within } : { ours: within, reference: around });
  }
  const by = (time: 'seconds' | 'processor'): Round[] =>
    found.map(({ ours, reference }) => ({ ours: rateOf(ours, time), reference: rateOf(reference, time) }));
  return [
    ratiosOf(name, `${unit}/s`, note, by('seconds')),
    ratiosOf(`${name}, by processor time`, `${unit}/s`, note, by('processor')),
  ];
}

function rateOf(costs: readonly Cost[], time: 'seconds' | 'processor'): number {
  const sum = (figure: (cost: Cost) => number): number => costs.reduce((all, cost) => all + figure(cost), 0);
  return sum(({ units }) => units) / sum((cost) => cost[time]);
}
