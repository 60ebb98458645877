import { digest } from '../shared/random.ts';

/** The foreign currency of a purchase. */
export interface ForeignAmount {
  readonly currency: string;
  readonly cents: number;
}

/** One transaction as booked by the bank. Money is in cents, negative if it leaves the account. */
export interface Movement {
  readonly id: string;
  /** Epoch ms, as of `settlesAt`; a movement is held in between. */
  readonly createdAt: number;
  readonly settlesAt: number;
  readonly cents: number;
  readonly description: string;
  readonly rawText: string | null;
  readonly message: string | null;
  /** How it was made, in Up's terms. */
  readonly kind: string | null;
  readonly category: string | null;
  /** The other account of the same person. */
  readonly transferAccount: string | null;
  readonly byCard: boolean;
  /** What is taken in addition to the amount and put into a saver; negative, or null for none. */
  readonly roundUpCents: number | null;
  readonly foreign: ForeignAmount | null;
}

export type MovementFacts = Pick<Movement, 'id' | 'createdAt' | 'cents' | 'description'> & Partial<Movement>;

/** A movement that settles at once, with only the given members. */
export function movement(facts: MovementFacts): Movement {
  return {
    settlesAt: facts.createdAt,
    rawText: null,
    message: null,
    kind: null,
    category: null,
    transferAccount: null,
    byCard: false,
    roundUpCents: null,
    foreign: null,
    ...facts,
  };
}

/** What a movement takes from its account or adds to it. */
export function effectOf({ cents, roundUpCents }: Movement): number {
  return cents + (roundUpCents ?? 0);
}

/** An id in the form of Up's, the same for the same parts. */
export function idOf(...parts: readonly (string | number)[]): string {
  const hex = digest(...parts);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}
