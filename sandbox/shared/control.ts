import type { BankWire } from './bank-wire.ts';
import type { ArmedFault, FaultSpec, Faults } from './faults.ts';
import { shownRows } from './misbehaving-bank.ts';
import type { ArmedMisbehaviour, ArmedQuirk, MisbehaviourSpec, QuirkSpec } from './misbehaviour-kinds.ts';
import type { LoggedRequest, RequestLog } from './request-log.ts';
import type { AccountStatement, ShownRow } from './statement.ts';

/** What the control of a simulator that is read from needs to know of its banks. */
export type SimulatedBanks = {
  /** How they write their lists. */
  readonly wire: BankWire;
  /** Sandbox time, epoch ms. */
  readonly now: () => number;
  /** What only these banks do, by name; absent for nothing. */
  readonly quirks?: Readonly<Record<string, string>>;
  /** Whether there is such a bank, by the vendor's id. */
  readonly knowsBank?: (institution: string) => boolean;
};

/** What may be done to every simulator. Methods throw {@link ControlError} on bad input. */
export class SimulatorControl {
  readonly #faults: Faults;
  readonly #log: RequestLog;
  readonly #bank: SimulatedBanks | null;

  /** @param bank null if nothing is read from the vendor */
  constructor(faults: Faults, log: RequestLog, bank: SimulatedBanks | null = null) {
    this.#faults = faults;
    this.#log = log;
    this.#bank = bank;
  }

  /** Arms a fault and returns its number. */
  addFault(spec: FaultSpec): number {
    return this.#faults.add(spec);
  }

  faults(): readonly ArmedFault[] {
    return this.#faults.list();
  }

  removeFault(id: number): void {
    if (!this.#faults.remove(id)) throw new ControlError('There is no such fault.');
  }

  clearFaults(): void {
    this.#faults.clear();
  }

  /** Whether the banks of this simulator have such a quirk. */
  hasQuirk(name: string): boolean {
    return Object.hasOwn(this.#bank?.quirks ?? {}, name);
  }

  /** Makes the data of the bank misbehave from now on, and returns the misbehaviour's number. */
  addMisbehaviour(spec: MisbehaviourSpec | QuirkSpec): number {
    const { now, knowsBank } = this.#reader();
    const { misbehaviours } = this.#faults;
    if (!('quirk' in spec)) return misbehaviours.add(spec, now());
    if (!this.hasQuirk(spec.quirk)) throw new ControlError(`${spec.quirk} is no quirk of these banks.`);
    if (spec.institution !== undefined && knowsBank?.(spec.institution) !== true)
      throw new ControlError(`There is no bank ${spec.institution}.`);
    return misbehaviours.addQuirk(spec);
  }

  misbehaviours(): readonly (ArmedMisbehaviour | ArmedQuirk)[] {
    const { misbehaviours } = this.#faults;
    return [...misbehaviours.list(), ...misbehaviours.quirks()];
  }

  removeMisbehaviour(id: number): void {
    if (!this.#faults.misbehaviours.remove(id)) throw new ControlError('There is no such misbehaviour.');
  }

  clearMisbehaviours(): void {
    this.#faults.misbehaviours.clear();
  }

  /** Dictates what accounts show, instead of their own rows; the others are not affected. */
  setStatements(statements: readonly AccountStatement[]): void {
    this.#reader();
    this.#faults.misbehaviours.setStatements(statements);
  }

  /** Makes every account show its own rows again. */
  clearStatements(): void {
    this.#faults.misbehaviours.clearStatements();
  }

  /** What the bank now shows of accounts that were dictated to, by account: after every misbehaviour of rows. */
  shown(): Readonly<Record<string, readonly ShownRow[]>> {
    const { wire, now } = this.#reader();
    return shownRows(wire, this.#faults.misbehaviours, now());
  }

  #reader(): SimulatedBanks {
    if (this.#bank === null) throw new ControlError('Nothing is read from this integration.');
    return this.#bank;
  }

  requests(): readonly LoggedRequest[] {
    return this.#log.list();
  }

  clearRequests(): void {
    this.#log.clear();
  }

  /** Clears faults, misbehaviours and the request log; data is kept. */
  clear(): void {
    this.clearFaults();
    this.clearMisbehaviours();
    this.clearRequests();
  }
}

/** Refused input of the control interface; the message says which member and why. */
export class ControlError extends Error {}
