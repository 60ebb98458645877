import { WORDS_LOCALE } from './locale.ts';

const KILO = 1_000;
const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;

/** How much data something is: `830 byte`, `12 kB`, `3.4 MB`. */
export function bytesText(bytes: number): string {
  const at = bytes < KILO ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), UNITS.length - 1);
  const value = bytes / KILO ** at;
  return new Intl.NumberFormat(WORDS_LOCALE, {
    style: 'unit',
    unit: UNITS[at] ?? 'byte',
    unitDisplay: 'short',
    maximumFractionDigits: value < 10 && at > 0 ? 1 : 0,
  }).format(value);
}
