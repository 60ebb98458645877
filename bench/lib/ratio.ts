import { median } from '../../scripts/lib/numbers.ts';

/** Both sides of one round, measured one after the other. */
export type Round = { readonly ours: number; readonly reference: number };

/** The result of a comparison: the ratio first, because the absolute figures are from one machine on one day. */
export type Ratio = {
  readonly name: string;
  readonly ratio: number;
  readonly lowest: number;
  readonly highest: number;
  readonly unit: string;
  readonly note: string;
  readonly ours: number;
  readonly reference: number;
};

export function ratiosOf(name: string, unit: string, note: string, rounds: readonly Round[]): Ratio {
  const ratios = rounds.map(({ ours, reference }) => ours / reference);
  return {
    name,
    ratio: median(ratios),
    lowest: Math.min(...ratios),
    highest: Math.max(...ratios),
    unit,
    note,
    ours: median(rounds.map(({ ours }) => ours)),
    reference: median(rounds.map(({ reference }) => reference)),
  };
}

/** What ours costs in addition to the reference, as a fraction of it: 0.40 is two fifths more. */
export function costsOf(name: string, unit: string, note: string, rounds: readonly Round[]): Ratio {
  const { ratio, lowest, highest, ...rest } = ratiosOf(name, unit, note, rounds);
  return { ...rest, ratio: ratio - 1, lowest: lowest - 1, highest: highest - 1 };
}
