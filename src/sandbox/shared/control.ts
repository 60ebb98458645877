import { ControlError } from './control-error.ts';
import type { ArmedFault, FaultSpec, Faults } from './faults.ts';
import type { LoggedRequest, RequestLog } from './request-log.ts';

/** What may be done to every simulator. Methods throw {@link ControlError} on bad input. */
export class SimulatorControl {
  readonly #faults: Faults;
  readonly #log: RequestLog;

  constructor(faults: Faults, log: RequestLog) {
    this.#faults = faults;
    this.#log = log;
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

  requests(): readonly LoggedRequest[] {
    return this.#log.list();
  }

  clearRequests(): void {
    this.#log.clear();
  }

  /** Forgets faults and the request log; data stays. */
  clear(): void {
    this.clearFaults();
    this.clearRequests();
  }
}
