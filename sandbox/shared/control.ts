import type { BankWire } from './bank-wire.ts';
import type { ArmedFault, FaultSpec, Faults } from './faults.ts';
import { shownRows } from './misbehaving-bank.ts';
import type { ArmedMisbehaviour, MisbehaviourSpec } from './misbehaviour-kinds.ts';
import type { LoggedRequest, RequestLog } from './request-log.ts';
import type { AccountStatement, ShownRow } from './statement.ts';

/** What may be done to every simulator. Methods throw {@link ControlError} on bad input. */
export class SimulatorControl {
  readonly #faults: Faults;
  readonly #log: RequestLog;
  readonly #bank: { readonly wire: BankWire; readonly now: () => number } | null;

  /** @param bank how it writes its lists, and the sandbox time (epoch ms); null if nothing is read from the vendor */
  constructor(
    faults: Faults,
    log: RequestLog,
    bank: { readonly wire: BankWire; readonly now: () => number } | null = null,
  ) {
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

  /** Makes the data of the bank misbehave from now on, and returns the misbehaviour's number. */
  addMisbehaviour(spec: MisbehaviourSpec): number {
    return this.#faults.misbehaviours.add(spec, this.#reader().now());
  }

  misbehaviours(): readonly ArmedMisbehaviour[] {
    return this.#faults.misbehaviours.list();
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

  #reader(): { readonly wire: BankWire; readonly now: () => number } {
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
