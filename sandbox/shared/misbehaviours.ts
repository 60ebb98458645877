import type { ArmedMisbehaviour, ArmedQuirk, MisbehaviourSpec, QuirkSpec } from './misbehaviour-kinds.ts';
import type { AccountStatement } from './statement.ts';

/** The misbehaviours of a simulated bank, and the dictated statements of its accounts. */
export class Misbehaviours {
  readonly seed: number;
  readonly #statements = new Map<string, AccountStatement['rows']>();
  #armed: readonly ArmedMisbehaviour[] = [];
  #quirks: readonly ArmedQuirk[] = [];
  #nextId = 1;
  #reads = 0;

  constructor(seed: number) {
    this.seed = seed;
  }

  /** @param now sandbox time, epoch ms */
  add(spec: MisbehaviourSpec, now: number): number {
    const id = this.#nextId++;
    this.#armed = [...this.#armed, { ...spec, id, since: now }];
    return id;
  }

  addQuirk({ quirk, ...where }: QuirkSpec): number {
    const id = this.#nextId++;
    this.#quirks = [...this.#quirks, { id, name: quirk, ...where }];
    return id;
  }

  /** All quirks, or those of one bank. */
  quirks(institution?: string): readonly ArmedQuirk[] {
    if (institution === undefined) return this.#quirks;
    return this.#quirks.filter((one) => (one.institution ?? institution) === institution);
  }

  list(): readonly ArmedMisbehaviour[] {
    return this.#armed;
  }

  /** Those that concern an account, by its id. */
  of(account: string): readonly ArmedMisbehaviour[] {
    return this.#armed.filter((fault) => (fault.account ?? account) === account);
  }

  remove(id: number): boolean {
    const before = this.#armed.length + this.#quirks.length;
    this.#armed = this.#armed.filter((fault) => fault.id !== id);
    this.#quirks = this.#quirks.filter((fault) => fault.id !== id);
    return this.#armed.length + this.#quirks.length < before;
  }

  clear(): void {
    this.#armed = [];
    this.#quirks = [];
  }

  setStatements(statements: readonly AccountStatement[]): void {
    for (const { account, rows } of statements) this.#statements.set(account, rows);
  }

  clearStatements(): void {
    this.#statements.clear();
  }

  statements(): ReadonlyMap<string, AccountStatement['rows']> {
    return this.#statements;
  }

  /** Counts another read of a list from its beginning. */
  read(): number {
    return ++this.#reads;
  }

  get reads(): number {
    return this.#reads;
  }

  get idle(): boolean {
    return this.#armed.length === 0 && this.#statements.size === 0;
  }
}
