import { monthOf } from '../format/days.ts';
import type { Movement } from './net-position.ts';

/** What came in and what went out, minor units; `out` is positive. */
export interface Flow {
  readonly in: bigint;
  readonly out: bigint;
}

/** Money in and out by the month of the transaction. Months without any movement are there with nothing. */
export function flowByMonth(
  movements: Iterable<Pick<Movement, 'spentOn' | 'amount'>>,
  months: readonly string[],
): ReadonlyMap<string, Flow> {
  const flows = new Map<string, Flow>(months.map((month) => [month, { in: 0n, out: 0n }]));
  for (const { spentOn, amount } of movements) {
    const month = monthOf(spentOn);
    const flow = flows.get(month);
    if (flow === undefined) continue;
    flows.set(month, amount < 0n ? { ...flow, out: flow.out - amount } : { ...flow, in: flow.in + amount });
  }
  return flows;
}
