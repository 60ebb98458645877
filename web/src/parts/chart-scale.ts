/** An axis: its ends and its labels. In minor units, so that sums of any size stay exact. */
export interface Scale {
  readonly low: bigint;
  readonly high: bigint;
  readonly ticks: readonly bigint[];
}

const PARTS = 4n;
/** Positions on a chart are fractions with as many digits as a screen can show. */
const PRECISION = 1_000_000n;

/** Ends and ticks at round numbers that include all values. */
export function scaleOf(values: readonly bigint[]): Scale {
  const min = values.reduce((least, value) => (value < least ? value : least), values[0] ?? 0n);
  const max = values.reduce((most, value) => (value > most ? value : most), values[0] ?? 0n);
  const step = roundStep((max - min) / PARTS);
  const low = floorTo(min, step);
  const high = max === low ? low + step : -floorTo(-max, step);
  const count = Number((high - low) / step);
  return { low, high, ticks: Array.from({ length: count + 1 }, (_, at) => low + BigInt(at) * step) };
}

/** Where a value lies on the scale, from 0 at its low end to 1. */
export function placeOn({ low, high }: Scale, value: bigint): number {
  return high === low ? 0 : Number(((value - low) * PRECISION) / (high - low)) / Number(PRECISION);
}

/** The share of a whole, from 0 to 1; 0 if the whole or the value is not positive. */
export function shareOf(value: bigint, whole: bigint): number {
  if (value <= 0n || whole <= 0n) return 0;
  return value >= whole ? 1 : placeOn({ low: 0n, high: whole, ticks: [] }, value);
}

/** The smallest of 1, 2, 5, 10, 20, … that is above the value. */
function roundStep(value: bigint): bigint {
  const tens = 10n ** BigInt(Math.max(0, value.toString().length - 1));
  return [tens, 2n * tens, 5n * tens].find((step) => step > value) ?? 10n * tens;
}

function floorTo(value: bigint, step: bigint): bigint {
  const rest = value % step;
  return value - (rest < 0n ? rest + step : rest);
}
