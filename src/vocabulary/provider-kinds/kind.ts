import type { ConsolePage } from '../console-page.ts';
import type { EnteredProblem } from '../entered-values.ts';

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
  /** What happens after Continue. */
  readonly next: (institution: string) => string;
  /** How sharing is stopped elsewhere than here, such as `end it at Akahu`; null if it cannot be. */
  readonly stop: ((institution: string) => string) | null;
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
  /** What the person enters, where an adapter asks for something (`asks`). Null if none does. */
  readonly entry: EntryTexts | null;
}

/** The field for a value that another page gave the person. */
interface EntryTexts {
  readonly label: string;
  /** The text of the link to that page. */
  readonly where: string;
  readonly hint: string;
  /** Why a value is not accepted. */
  readonly problems: Readonly<Record<EnteredProblem, string>>;
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
  /**
   * Whether its list names the institutions themselves, so that a link can bring another one than was chosen. False if
   * it only names the service through which they are linked.
   */
  readonly listsInstitutions: boolean;
  /** `documents`: read from statement files that its owner uploaded (docs/statement-files.md), not from a vendor. */
  readonly category: 'banking' | 'brokerage' | 'documents';
  readonly country: string | null;
  readonly timezone: string;
  readonly currency: string;
  /** Whether banks answer only a few reads of an account in a day while no person waits (docs/limits.md). */
  readonly limitsUnattended: boolean;
  /** What to do at the vendor before anything can be linked; null if there is no vendor. */
  readonly console: ConsolePage | null;
  readonly texts: ProviderTexts;
}
