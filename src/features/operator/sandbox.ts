import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { request } from 'undici';
import type { Account } from '../../storage/accounts.ts';
import { type ProviderIdentifier, parseProviderRowId } from '../../vocabulary/provider-kinds.ts';
import { wrongInput, wrongState } from './refusal.ts';

const DEADLINE_MS = 10_000;

const Fault = Type.Object({
  id: Type.Integer(),
  route: Type.String(),
  kind: Type.String(),
  // Infinity if the fault has a probability and no count, which JSON writes as null.
  remaining: Type.Union([Type.Integer(), Type.Null()]),
});
const Faults = Type.Object({
  faults: Type.Array(Fault),
  /** What is wrong with the bank's data; empty if the integration has no such faults. */
  misbehaviours: Type.Array(Type.Object({ id: Type.Integer(), name: Type.String() })),
});
const Pending = Type.Object({
  pending: Type.Array(Type.Object({ id: Type.String(), amount: Type.String(), description: Type.String() })),
});
const Entered = Type.Object({ ids: Type.Array(Type.String()) });

/** A fault armed at a simulator; it affects `remaining` requests, or all if null. */
export type SandboxFault = Static<typeof Fault>;
/** What is armed at a simulator. */
export type SandboxFaults = Static<typeof Faults>;
/** Transactions that a simulated bank has as pending. */
export type PendingRows = Static<typeof Pending>['pending'];

/** A fault, or misbehaving data; omitted members take the simulator's defaults. */
export interface NewFault {
  readonly integration: string;
  readonly kind: string;
  readonly route?: string;
  readonly count?: number;
  readonly probability?: number;
  readonly after?: number;
  readonly latencyMs?: number;
  readonly status?: number;
  readonly retryAfterSeconds?: number;
  readonly account?: string;
  /** A bank, by its public id, for quirks of banks. */
  readonly institution?: string;
  readonly every?: number;
  readonly days?: number;
  readonly value?: string;
}

/** A transaction that a simulated bank is to enter. */
export interface NewRow {
  readonly amount: string;
  readonly description: string;
  readonly status: 'PENDING' | 'POSTED';
}

/** What the simulated banks know about their customers. */
export interface SimulatedCustomers {
  logIns(institution: string): readonly string[];
  knows(institution: string, logIn: string): boolean;
  choose?(logIn: string): boolean;
}

export interface RunningSimulators {
  readonly reached: ReadonlyMap<string, { readonly controlUrl: string }>;
  readonly simulators: ReadonlyMap<string, { readonly people: SimulatedCustomers | null }>;
}

/** The simulators of the installation, asked by their control API (docs/sandbox.md#control). */
export class OperatorSandbox {
  /** Kinds of faults that every simulator supports. */
  readonly faultKinds: readonly string[];
  readonly #running: RunningSimulators;

  constructor(running: RunningSimulators, faultKinds: readonly string[]) {
    this.#running = running;
    this.faultKinds = faultKinds;
  }

  /** Integrations that are simulated. */
  get integrations(): readonly string[] {
    return [...this.#running.reached.keys()];
  }

  /** @throws OperatorRefusal if nothing simulates the integration, like every method here */
  async faults(integration: string, signal: AbortSignal): Promise<SandboxFaults> {
    const listed = Value.Clean(Faults, {
      ...asRecord(await this.#ask(integration, signal, 'GET', '/faults')),
      ...asRecord(await this.#ask(integration, signal, 'GET', '/misbehaviours')),
    });
    if (Value.Check(Faults, listed)) return listed;
    throw wrongState(`The simulator of ${integration} listed its faults in a format of its own.`);
  }

  /** @throws OperatorRefusal with the simulator's reason */
  async arm(fault: NewFault, signal: AbortSignal): Promise<void> {
    const { integration, kind, route, institution, ...rest } = fault;
    const bank = institution === undefined ? {} : { institution: upstreamBank(institution, integration) };
    // Kinds of faults are written with hyphens, those of misbehaving data with underscores.
    if (kind.includes('_')) {
      await this.#ask(integration, signal, 'POST', '/misbehaviours', { ...rest, ...bank, route, name: kind });
    } else if (institution !== undefined) {
      throw wrongInput('institution', `${kind} is no quirk of a bank: leave out the institution.`);
    } else {
      await this.#ask(integration, signal, 'POST', '/faults', { ...rest, route: route ?? '*', kind });
    }
  }

  async disarm(integration: string, signal: AbortSignal): Promise<void> {
    await this.#ask(integration, signal, 'DELETE', '/faults');
    await this.#ask(integration, signal, 'DELETE', '/misbehaviours');
  }

  /** Makes a simulated bank work, work badly or not at all. */
  async setInstitution(institution: string, status: string, signal: AbortSignal): Promise<void> {
    const named = parseProviderRowId('institution', institution);
    if (named === null) {
      throw wrongInput(null, `"${institution}" is not the id of an institution (inst_…).`);
    }
    const path = `/institutions/${encodeURIComponent(named.upstreamId)}/status`;
    await this.#ask(named.provider, signal, 'POST', path, { status });
  }

  /** Enters a transaction at the bank of the account; returns the bank's ids for it. */
  async enter(account: Account, row: NewRow, signal: AbortSignal): Promise<readonly string[]> {
    const path = `${pathOf(account)}/transactions`;
    const entered = await this.#ask(account.provider, signal, 'POST', path, { transactions: [row] });
    if (Value.Check(Entered, entered)) return entered.ids;
    throw unreadable(account);
  }

  /** A pending transaction is posted, or disappears. */
  async end(
    { provider }: Account,
    how: 'settle' | 'drop',
    transaction: string,
    signal: AbortSignal,
  ): Promise<void> {
    await this.#ask(provider, signal, 'POST', `/transactions/${encodeURIComponent(transaction)}/${how}`);
  }

  async pending(account: Account, signal: AbortSignal): Promise<PendingRows> {
    const path = `${pathOf(account)}/pending`;
    const listed = Value.Clean(Pending, await this.#ask(account.provider, signal, 'GET', path));
    if (Value.Check(Pending, listed)) return listed.pending;
    throw unreadable(account);
  }

  /**
   * Tells the vendor which customer to expect, because an unknown name would otherwise show only after the consent
   * pages, as an error page. If the vendor has no login page, its credentials become those of the customer.
   * @throws OperatorRefusal for an unknown customer
   */
  choosePersona(provider: ProviderIdentifier, institution: string | null, persona: string): void {
    const bank = institution === null ? null : parseProviderRowId('institution', institution);
    const there = bank === null ? null : this.#running.simulators.get(bank.provider)?.people;
    if (bank !== null && there) {
      const logIns = there.logIns(bank.upstreamId);
      if (logIns.length > 0 && !there.knows(bank.upstreamId, persona)) {
        throw wrongInput(
          'persona',
          `The bank ${institution} has no customer "${persona}". Its customers are ${logIns.join(', ')}.`,
        );
      }
    }
    if (this.#running.simulators.get(provider)?.people?.choose?.(persona) !== false) return;
    throw wrongInput('persona', `${provider} has no customer "${persona}".`);
  }

  async #ask(
    integration: string,
    signal: AbortSignal,
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    body: object = {},
  ): Promise<unknown> {
    const simulator = this.#running.reached.get(integration);
    if (simulator === undefined) {
      const names = this.integrations.join(', ');
      throw wrongInput(null, `Nothing simulates "${integration}" here. Simulated are: ${names}.`);
    }
    const answer = await request(`${simulator.controlUrl}${path}`, {
      method,
      ...(method === 'POST'
        ? { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
        : {}),
      signal: AbortSignal.any([signal, AbortSignal.timeout(DEADLINE_MS)]),
    });
    const text = await answer.body.text();
    const json: unknown = text === '' ? null : JSON.parse(text);
    if (answer.statusCode < 300) return json;
    if (answer.statusCode === 404) {
      throw wrongInput(
        null,
        `The simulator of ${integration} has no ${method} ${path}. See docs/sandbox.md.`,
      );
    }
    throw wrongInput(null, `The simulator of ${integration} refused: ${reasonIn(json)}`);
  }
}

/** @throws OperatorRefusal for a text that is not the id of a bank of this integration */
function upstreamBank(institution: string, integration: string): string {
  const named = parseProviderRowId('institution', institution);
  if (named?.provider === integration) return named.upstreamId;
  throw wrongInput('institution', `"${institution}" is not the id of a bank of ${integration} (inst_…).`);
}

function pathOf({ upstream_id: upstream }: Account): string {
  return `/accounts/${encodeURIComponent(upstream)}`;
}

function unreadable({ provider }: Account): Error {
  return wrongState(`The simulator of ${provider} answered in a format of its own.`);
}

function asRecord(answer: unknown): object {
  return typeof answer === 'object' && answer !== null ? answer : {};
}

function reasonIn(json: unknown): string {
  return typeof json === 'object' && json !== null && 'error' in json
    ? String(json.error)
    : 'no reason given';
}
