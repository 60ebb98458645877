import type { SimulatorControl } from './control.ts';
import type { WebhookTarget } from './webhook-sender.ts';

/** A simulator that runs in this process or in another one on this machine. */
export interface ReachedSimulator {
  /** Where it serves the vendor's API and pages, without a trailing slash. */
  readonly url: string;
  /** Where its control API listens. */
  readonly controlUrl: string;
  /** What the integration's adapter gets instead of the operator's settings: addresses and credentials, by variable. */
  readonly settings: Readonly<Record<string, string>>;
  /** What a destination is connected with, if its kind connects by a secret. */
  readonly secret?: string;
}

/** A simulator that runs in this process. */
export interface Simulator extends ReachedSimulator {
  /** Null if there is no one to link, as for a destination. */
  readonly people: People | null;
  /** What a simulated destination has received; absent for a provider. */
  readonly received?: ReceivedRows;
  /** What may be done to it from inside the process; its class has more. */
  readonly control: SimulatorControl;
  close(): Promise<void>;
}

/** A row as people see it at a simulated destination. */
export interface ReceivedRow {
  /** How the vendor identifies the row, such as the text of its id column. */
  readonly id: string;
  /** Where it is: a sheet, a table, a budget account. */
  readonly place: string;
  /** What is shown, by the name of the column. */
  readonly values: Readonly<Record<string, string>>;
}

/** The contents of a simulated destination. */
export interface ReceivedRows {
  /** Every row that is there; duplicates are listed twice. Without snapshots. */
  rows(): readonly ReceivedRow[];
  /** Paths of the pages that show the rows, relative to the address of the simulator's pages. */
  pages(): readonly string[];
  /**
   * The currency of each budget by its id, ISO 4217 in lower case, null if it accepts rows of any. Omitted if rows of
   * all currencies are together.
   */
  currencies?(): ReadonlyMap<string, string | null>;
}

/** Ports of the loopback interface on which a simulator listens. */
export interface SimulatorPorts {
  /** The vendor's API and pages. */
  readonly vendor: number;
  readonly control: number;
  /** For a database server, which does not use HTTP. */
  readonly database?: number | undefined;
}

/** Where a simulator runs. */
export interface SimulatorPlace {
  readonly clock: SimulatorClock;
  /** Where browsers reach its pages, without a trailing slash; absent if that is its own address. */
  readonly pagesUrl?: string | undefined;
  /** Where it stores between runs what people agreed to. */
  readonly stateFile: string;
  /** Where it listened before, so that other processes find it there; absent for any free ones. */
  readonly ports?: SimulatorPorts | undefined;
  /** Where notifications of its vendor go; absent for none. */
  readonly webhooks?: WebhookTarget;
}

/** A simulator whose code and data are loaded. */
export interface PreparedSimulator {
  /** Whom the demo links: with `rows` a person with that many rows, else with a data file everyone in it. */
  demoPeople(rows: number | null): readonly SimulatedPerson[];
  start(place: SimulatorPlace): Promise<Simulator>;
}

/** The simulator of one integration in the table of integrations. Its file loads nothing of the simulator before `prepare`. */
export interface SimulatorIntegration {
  /** The name of its state file and, below `/sandbox`, the address of its pages. */
  readonly folder: string;
  /** Paths that browsers may reach, with `:name` for any one segment and `*` at the end for anything that follows. */
  readonly pages: readonly string[];
  /** Log-ins of all its institutions, for the help of the command line. */
  readonly personas: readonly string[];
  /**
   * Whether it runs in the sandbox although the integration needs no settings: people may use it or their own server.
   */
  readonly beside?: boolean;
  /**
   * Loads the simulator and reads the data file, if it serves such files and there is one.
   * @throws Error whose message says what is wrong with the file
   */
  prepare(dataFile: string | null): Promise<PreparedSimulator>;
}

/** Sandbox time. */
export type SimulatorClock = {
  /** Epoch milliseconds. */
  now(): number;
};

/** The machine's clock. */
export const SYSTEM_CLOCK: SimulatorClock = { now: (): number => Date.now() };

/** A person whom the demo links. */
export interface SimulatedPerson {
  /** The bank's name in the list of institutions; null if the vendor's own page asks for it. */
  readonly bank: string | null;
  /** The log-in. */
  readonly customer: string;
}

/** The people of a running simulator of a provider. */
export interface People {
  /** The log-ins that an institution offers; empty for an unknown one. */
  logIns(institution: string): readonly string[];
  /** Whether an institution knows the log-in. */
  knows(institution: string, logIn: string): boolean;
  /**
   * Sets whose credentials are in the adapter's settings, by log-in, if the vendor has no page on which a person could
   * log in; false if there is no such log-in. Omitted if there is such a page.
   */
  choose?(logIn: string): boolean;
  /** Accounts that people agreed to share, and the rows that the institutions now have of them. */
  shared(): { readonly accounts: number; readonly rows: number };
}
