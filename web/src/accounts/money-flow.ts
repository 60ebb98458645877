import { monthOf } from '../format/days.ts';
import type { Movement } from './net-position.ts';

/** What came in and what went out, minor units; `out` is positive. */
export interface Flow {
  readonly in: bigint;
  readonly out: bigint;
}

/** Money in and out by the month it posted in. Months without any movement are there with nothing. */
export function flowByMonth(
  movements: Iterable<Pick<Movement, 'day' | 'amount'>>,
  months: readonly string[],
): ReadonlyMap<string, Flow> {
  const flows = new Map<string, Flow>(months.map((month) => [month, { in: 0n, out: 0n }]));
  for (const { day, amount } of movements) {
    const flow = flows.get(monthOf(day));
    if (flow === undefined) continue;
    flows.set(
      monthOf(day),
      amount < 0n ? { ...flow, out: flow.out - amount } : { ...flow, in: flow.in + amount },
    );
  }
  return flows;
}
