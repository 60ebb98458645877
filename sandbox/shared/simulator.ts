import type { SimulatorControl } from './control.ts';
import type { WebhookTarget } from './webhook-sender.ts';

/** A simulator that runs in this process or in another one of this machine. */
export interface ReachedSimulator {
  /** Where it serves the vendor's API and pages, without a trailing slash. */
  readonly url: string;
  /** Where its control API listens. */
  readonly controlUrl: string;
  /** What the integration's adapter is given in place of the operator's settings: addresses and credentials, by variable. */
  readonly settings: Readonly<Record<string, string>>;
  /** What a destination is connected with, where its kind connects by a secret. */
  readonly secret?: string;
}

/** A simulator that runs in this process. */
export interface Simulator extends ReachedSimulator {
  /** Null if there is nobody to link, as at a destination. */
  readonly people: People | null;
  /** What a simulated destination has received; absent at a provider. */
  readonly received?: ReceivedRows;
  /** What may be done to it from inside the process; its class says what more. */
  readonly control: SimulatorControl;
  close(): Promise<void>;
}

/** A row as people see it at a simulated destination. */
export interface ReceivedRow {
  /** What the vendor knows the row by, such as the text of its id column. */
  readonly id: string;
  /** Where it stands: a sheet, a table, a budget account. */
  readonly place: string;
  /** What is shown, by the name of the column. */
  readonly values: Readonly<Record<string, string>>;
}

/** What a simulated destination holds. */
export interface ReceivedRows {
  /** Every row that is there; one that is there twice is there twice. Snapshots are not among them. */
  rows(): readonly ReceivedRow[];
  /** Paths of the pages on which a person sees the rows, to be put behind the address of the simulator's pages. */
  pages(): readonly string[];
  /**
   * The currency of each budget by its id, ISO 4217 in lower case, null if it takes rows of any. Left out where rows
   * of all currencies stand together.
   */
  currencies?(): ReadonlyMap<string, string | null>;
}

/** Ports of the loopback interface on which a simulator listens. */
export interface SimulatorPorts {
  /** The vendor's API and pages. */
  readonly vendor: number;
  readonly control: number;
  /** Of a database server, which is no HTTP. */
  readonly database?: number | undefined;
}

/** Where a simulator runs. */
export interface SimulatorPlace {
  readonly clock: SimulatorClock;
  /** Where browsers reach its pages, without a trailing slash. */
  readonly pagesUrl: string;
  /** Where it keeps between runs what people agreed to. */
  readonly stateFile: string;
  /** Where it listened before, so that other processes find it there; absent for any that are free. */
  readonly ports?: SimulatorPorts | undefined;
  /** Where notifications of its vendor go; absent for none. */
  readonly webhooks?: WebhookTarget;
}

/** A simulator whose code is loaded and whose data is read. */
export interface PreparedSimulator {
  /** Whom the demo links: with `rows` somebody with that many rows, else with a data file everybody in it. */
  demoPeople(rows: number | null): readonly SimulatedPerson[];
  start(place: SimulatorPlace): Promise<Simulator>;
}

/** The simulator of one integration in the table of integrations. Its file loads nothing of the simulator before `prepare`. */
export interface SimulatorIntegration {
  /** Names its state file and, below `/sandbox`, the address of its pages. */
  readonly folder: string;
  /** Paths that browsers may reach, with `:name` for any one segment and `*` at the end for whatever follows. */
  readonly pages: readonly string[];
  /** Log-ins that every institution of it knows, for the help of the command line. */
  readonly personas: readonly string[];
  /** Whether it runs in the sandbox although the integration needs no settings: people may use it or a server of their own. */
  readonly beside?: boolean;
  /**
   * Loads the simulator and reads the data file, where it serves such files and there is one.
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

/** A person the demo links. */
export interface SimulatedPerson {
  /** The bank by the name the list of institutions gives it; null if the vendor's own page asks for it. */
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
   * could say who they are; false if nobody has the log-in. Left out where there is such a page.
   */
  choose?(logIn: string): boolean;
  /** Accounts that people agreed to share, and the rows the institutions hold of them now. */
  shared(): { readonly accounts: number; readonly rows: number };
}
