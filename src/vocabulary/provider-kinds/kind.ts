/** Who receives the data, with whom the person signs in, and what is read, in the form required by local law. */
export interface Recipient {
  readonly name: string;
  readonly role: string;
  readonly shared: readonly string[];
}

/** What people read before they continue, with the institution they chose; null if they have chosen none. */
interface BeforeTexts {
  /** Which institution is linked, and where it is chosen. */
  readonly chosen: (institution: string | null) => string;
  /** What happens after Continue, and how sharing is stopped. */
  readonly next: (institution: string) => string;
}

/** The same where a page of the vendor follows. */
interface VendorPageTexts extends BeforeTexts {
  /** Whose page it is. */
  readonly vendor: string;
  /** What becomes of what the person did on an earlier page, if they start again. */
  readonly startedAgain: string;
}

/** What a person reads before a link begins. Apart from the rest, because the web application does not show it. */
export interface LinkWords {
  /** What is linked if none was chosen, inside a sentence. */
  readonly unnamed: string;
  readonly recipient: Recipient;
  /** Null if linking never leads to a page of the vendor. */
  readonly page: VendorPageTexts | null;
  /** Without such a page, because the operator's own credentials are used. Null if there always is one. */
  readonly direct: BeforeTexts | null;
}

/** Why a link failed, where the words for all providers are not true. */
type FailureTexts = Readonly<
  Partial<Record<'authentication_failed' | 'consent_denied' | 'institution_error' | 'not_eligible', string>>
>;

/** What people read about a provider, in English. */
interface ProviderTexts {
  /** What is linked there, in a word or two. */
  readonly name: string;
  /** Who brings its data, in a choice between providers of one bank. */
  readonly through: string;
  /** What an institution is called. */
  readonly institution: 'Bank' | 'Broker';
  readonly failures: FailureTexts;
  /** What a connection needs whose consent the vendor does not accept any more. */
  readonly invalidated: string;
  /** What the moment means from which a consent is known. */
  readonly granted: string;
  /** What deleting a connection does at the vendor: one of several things it does, after "It will:". */
  readonly withdrawal: string;
}

/** Everything that differs between providers, except how their vendors' APIs are called. */
export interface ProviderKind {
  /** In the ids of its rows: `txn_<tag>_…`. */
  readonly tag: string;
  /**
   * A link session must name the bank (docs/resources.md#link-session). Elsewhere it may, and the vendor's page is opened
   * at it where that is possible.
   */
  readonly linksInstitution: boolean;
  readonly category: 'banking' | 'brokerage';
  readonly country: string | null;
  readonly timezone: string;
  readonly currency: string;
  readonly texts: ProviderTexts;
}
