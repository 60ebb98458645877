import type { Instrument } from '../instrument.ts';

/** A position at the broker. Figures are decimals. */
export type Position = {
  readonly instrument: Instrument;
  readonly units: string | null;
  readonly price: string | null;
  readonly cost: string | null;
  readonly currency: string | null;
  /** A fund whose value also counts as cash. */
  readonly cashEquivalent?: boolean;
};

/** Cash in one currency. */
export type Cash = { readonly currency: string; readonly cash: string; readonly buyingPower: string | null };

/** Something that happens every month. `times` equal executions are that many rows. */
export type Habit = {
  readonly day: number;
  /** `HH:MM:SS` UTC for a broker that gives the time. */
  readonly time?: string;
  readonly type: string;
  readonly instrument?: Instrument;
  readonly quote?: Instrument;
  readonly currency: string | null;
  readonly units?: string;
  /** The price in the first month, in cents, and how much it rises each month. */
  readonly priceCents?: number;
  readonly riseCents?: number;
  /** Null if the broker does not say. */
  readonly amount?: string | null;
  readonly fee?: string;
  readonly description: string;
  readonly times?: number;
};

export type AccountPlan = {
  readonly key: string;
  readonly name: string | null;
  readonly category: 'INVESTMENT' | 'DEPOSIT' | 'LOC' | null;
  readonly rawType: string;
  /** The account's value and its currency; null if the broker gives none. */
  readonly total: { readonly amount: string; readonly currency: string } | null;
  readonly cash: readonly Cash[];
  readonly positions: readonly Position[];
  readonly habits: readonly Habit[];
  /** The vendor cannot read the holdings of this account. */
  readonly hidden?: boolean;
  /** A computed history with that many rows instead of habits. */
  readonly computedRows?: number;
};

/** A person with a login at a broker. */
export type Persona = {
  readonly customer: string;
  readonly name: string;
  readonly summary: string;
  readonly accounts: readonly AccountPlan[];
  /** The result of a sign-in: a code of the portal's errors, or a second factor to pass. */
  readonly signIn?: { readonly errorCode: string } | 'second-factor';
  /** How long the broker refuses reads. */
  readonly limited?: boolean;
};
