/** Who receives the data, with whom the person signs in, and what is read, in the form required by local law. */
export interface Recipient {
  readonly name: string;
  readonly role: string;
  readonly shared: readonly string[];
}

/** What people read about a provider, in English. */
interface ProviderTexts {
  /** What is linked there, in a word or two. */
  readonly name: string;
  /** Shown to the person before a link begins. */
  readonly recipient: Recipient;
}

/** Everything that differs between providers, except how their vendors' APIs are called. */
export interface ProviderKind {
  /** In the ids of its rows: `txn_<tag>_…`. */
  readonly tag: string;
  /**
   * A link session names the bank before the person is sent there (docs/resources.md#link-session); elsewhere the
   * provider's own page asks for it.
   */
  readonly linksInstitution: boolean;
  readonly category: 'banking' | 'brokerage';
  readonly country: string | null;
  readonly timezone: string;
  readonly currency: string;
  readonly texts: ProviderTexts;
}
