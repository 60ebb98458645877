/** What a person learns, and may choose, before they sign in at an institution (Provider.readTerms). */
export interface LinkTerms {
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  /** How long a consent lasts at most, in whole days. */
  readonly consentDays: number;
  /** Ways to sign in, the usual one first; fewer than two are no choice. */
  readonly ways: readonly LinkWay[];
}

/** One way to sign in at an institution. */
export interface LinkWay {
  /** What the adapter gets back as `BeginLink.entered`. */
  readonly id: string;
  /** Whose accounts it opens; null if the institution has only one kind. */
  readonly accounts: 'personal' | 'business' | null;
  /** Null for the one that the institution uses unless it is asked for another. */
  readonly method: SignInMethod | null;
}

/** How a person proves to the institution who they are. */
export interface SignInMethod {
  readonly name: string;
  /** `decoupled`: in an app, on any device. `embedded`: on a page of the vendor. Null if the vendor does not say. */
  readonly approach: 'redirect' | 'decoupled' | 'embedded' | null;
  /** What the person is asked to enter there, such as a user id. */
  readonly asksFor: readonly string[];
}

/** The most ways that are shown of one institution. */
export const MOST_WAYS = 12;
