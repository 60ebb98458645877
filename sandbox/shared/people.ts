/** A person the demo links. */
export interface SimulatedPerson {
  /** The bank by the name the list of institutions gives it; null where the vendor's own page asks for it. */
  readonly bank: string | null;
  /** The log-in. */
  readonly customer: string;
}

/** The people of a running simulator of a provider. */
export interface People {
  /** The log-ins an institution offers; empty for one that is not there. */
  logIns(institution: string): readonly string[];
  /** Whether an institution knows the log-in. */
  knows(institution: string, logIn: string): boolean;
  /**
   * Makes the credentials in the adapter's settings those of a log-in, where the vendor has no page on which a person
   * could say who they are; false where nobody has the log-in. Left out where there is such a page.
   */
  choose?(logIn: string): boolean;
  /** Accounts that people agreed to share, and the rows the institutions hold of them now. */
  shared(): { readonly accounts: number; readonly rows: number };
}
