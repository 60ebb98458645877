import { Device } from './device.ts';
import { type ServerReason, serverError } from './errors.ts';
import { BUDGETS, seed, uuidOf } from './seed.ts';
import { ServedBudget } from './served-budget.ts';

/** What the server accepts as the id of a budget. */
const FILE_ID = /^[\w-]+$/;

/** A budget at the server, and its person's device. */
export interface HeldBudget {
  readonly served: ServedBudget;
  readonly device: Device;
  /** Code of its currency when it was made; empty for none. */
  readonly currency: string;
}

/** The budgets of one server. */
export class World {
  readonly #now: () => number;
  readonly #budgets: HeldBudget[] = [];
  #begun = false;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** The initial ones are created on first use: most services in sandbox mode never use one. */
  get budgets(): readonly HeldBudget[] {
    if (!this.#begun) {
      this.#begun = true;
      for (const [name, currency] of BUDGETS) this.add(name, currency);
    }
    return this.#budgets;
  }

  add(name: string, currency: string): HeldBudget {
    const served = new ServedBudget(uuidOf('budget', name), name);
    const device = new Device(this.#deviceParts(served));
    seed(device, name, currency);
    device.sync();
    device.upload();
    const made = { served, device, currency };
    this.#budgets.push(made);
    return made;
  }

  /** A budget as it was when the simulator ended, instead of the initial ones. */
  restore(name: string, currency: string, file: Buffer): void {
    this.#begun = true;
    const served = new ServedBudget(uuidOf('budget', name), name);
    const device = new Device(this.#deviceParts(served), file);
    device.sendAll();
    device.upload();
    this.#budgets.push({ served, device, currency });
  }

  /** The budget as the server has it; a deleted one is gone. Raises the server's refusal. */
  served(id: string, reason: ServerReason = 'file-not-found'): ServedBudget {
    if (!FILE_ID.test(id)) throw serverError('invalid fileId');
    const found = this.budgets.find(({ served }) => served.id === id && !served.deleted);
    if (found === undefined) throw serverError(reason);
    return found.served;
  }

  close(): void {
    for (const { device } of this.#budgets) device.close();
  }

  #deviceParts(budget: ServedBudget) {
    return { budget, clientId: budget.id.replaceAll('-', '').slice(0, 16), now: this.#now };
  }
}
