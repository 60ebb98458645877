import { hash } from 'node:crypto';

/** 32-bit FNV-1a of a text with a final mix; for seeds, never for identifiers. */
export function seedOf(...parts: readonly (string | number)[]): number {
  let state = 0x811c9dc5;
  const text = parts.join('\u001f');
  for (let index = 0; index < text.length; index++) {
    state = Math.imul(state ^ text.charCodeAt(index), 0x01000193);
  }
  return mix32(state);
}

/** A bijection on 32-bit integers that scatters neighbouring inputs. Inverted by {@link unmix32}. */
export function mix32(value: number): number {
  let x = value | 0;
  x = Math.imul(x ^ (x >>> 16), 0x7feb352d);
  x = Math.imul(x ^ (x >>> 15), 0x846ca68b);
  return (x ^ (x >>> 16)) >>> 0;
}

/** Inverse of {@link mix32}. */
export function unmix32(value: number): number {
  let x = value | 0;
  x = Math.imul(x ^ (x >>> 16), 0x43021123);
  x = Math.imul(x ^ (x >>> 15) ^ (x >>> 30), 0x1d69e2a5);
  return (x ^ (x >>> 16)) >>> 0;
}

/** SHA-256 of the parts, as hex; the source of every identifier of the data set. */
export function digest(...parts: readonly (string | number)[]): string {
  return hash('sha256', parts.join('\u001f'), 'hex');
}

export type NonEmpty<T> = readonly [T, ...T[]];

/** A seeded stream of choices (mulberry32). The same seed gives the same choices on every machine. */
export type Random = {
  /** In [0, 1). */
  next(): number;
  /** An integer in [min, max]. */
  int(min: number, max: number): number;
  chance(probability: number): boolean;
  pick<T>(list: NonEmpty<T>): T;
};

export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let x = Math.imul(state ^ (state >>> 15), 1 | state);
    x = (x + Math.imul(x ^ (x >>> 7), 61 | x)) ^ x;
    return ((x ^ (x >>> 14)) >>> 0) / 4294967296;
  };
  return {
    next,
    int: (min, max) => min + Math.floor(next() * (max - min + 1)),
    chance: (probability) => next() < probability,
    pick: (list) => list[Math.floor(next() * list.length)] ?? list[0],
  };
}
