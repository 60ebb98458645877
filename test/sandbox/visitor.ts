import {
  type AuBankingSimulator,
  type AuBankingSimulatorOptions,
  startAuBankingSimulator,
} from '../../sandbox/au-banking/server.ts';
import { isRecord } from '../../sandbox/shared/json.ts';
import { type ConsentChoices, completeConsent } from '../support/consent-client.ts';

export const NOW = Date.parse('2026-11-20T06:00:00Z');
export const DAY = 86_400_000;

/** A clock that stands still until it is moved. */
export function handClock(start = NOW): { now(): number; at: number } {
  const clock = { at: start, now: () => clock.at };
  return clock;
}

export type Answer = { readonly status: number; readonly headers: Headers; readonly body: unknown };

/** A client that speaks the vendor's protocol without any help from the product. */
export class Visitor {
  readonly simulator: AuBankingSimulator;
  token = '';
  version: string | null = 'v2';

  constructor(simulator: AuBankingSimulator) {
    this.simulator = simulator;
  }

  async authenticate(): Promise<void> {
    const { clientId, clientSecret } = this.simulator;
    const answer = await this.post('/v1/token', { client_id: clientId, client_secret: clientSecret });
    this.token = text(answer.body, 'token');
  }

  async call(method: string, path: string, body?: unknown): Promise<Answer> {
    const response = await fetch(path.startsWith('http') ? path : this.simulator.url + path, {
      method,
      headers: {
        ...(this.token ? { authorization: `Bearer ${this.token}` } : {}),
        ...(this.version === null ? {} : { 'x-fiskil-version': this.version }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const raw = await response.text();
    return { status: response.status, headers: response.headers, body: raw === '' ? null : JSON.parse(raw) };
  }

  get(path: string): Promise<Answer> {
    return this.call('GET', path);
  }

  post(path: string, body: unknown): Promise<Answer> {
    return this.call('POST', path, body);
  }

  async endUser(email = 'someone@example.test'): Promise<string> {
    return text((await this.post('/v1/end-users', { email })).body, 'end_user_id');
  }

  async session(endUserId: string, extra: Record<string, unknown> = {}): Promise<string> {
    const fields = { end_user_id: endUserId, redirect_uri: 'https://app.test/done?state=s1', ...extra };
    return text((await this.post('/v1/auth/session', fields)).body, 'auth_url');
  }

  async link(endUserId: string, choices: ConsentChoices = {}): Promise<URL> {
    return completeConsent(await this.session(endUserId), choices);
  }

  /** All rows over all pages. */
  async rows(query: string, size = 1000): Promise<readonly Record<string, unknown>[]> {
    const rows: Record<string, unknown>[] = [];
    let next: string | null = `/v1/banking/transactions?${query}&page[size]=${size}`;
    while (next !== null) {
      const { body }: Answer = await this.get(next);
      rows.push(...list(body, 'transactions'));
      next = nextOf(body);
    }
    return rows;
  }
}

/** Runs a test body against a fresh simulator and closes it whatever happens. */
export async function withSimulator(
  options: Partial<AuBankingSimulatorOptions>,
  body: (visitor: Visitor, simulator: AuBankingSimulator) => Promise<void>,
): Promise<void> {
  const simulator = await startAuBankingSimulator({
    clientId: 'client-1',
    clientSecret: 'secret-1',
    clock: { now: () => NOW },
    firstSyncDelayMs: 0,
    ...options,
  });
  try {
    const visitor = new Visitor(simulator);
    await visitor.authenticate();
    await body(visitor, simulator);
  } finally {
    await simulator.close();
  }
}

export function record(value: unknown): Record<string, unknown> {
  if (!isRecord(value)) throw new Error('expected an object');
  return value;
}

export function list(value: unknown, name: string): readonly Record<string, unknown>[] {
  return items(record(value)[name]);
}

export function items(value: unknown): readonly Record<string, unknown>[] {
  if (!Array.isArray(value)) throw new Error('expected a list');
  return value.map(record);
}

export function text(value: unknown, name: string): string {
  const member = record(value)[name];
  if (typeof member !== 'string') throw new Error(`expected a text in ${name}`);
  return member;
}

export function nextOf(body: unknown): string | null {
  const next = record(record(body).links).next;
  return typeof next === 'string' ? next : null;
}
