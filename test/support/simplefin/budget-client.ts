import assert from 'node:assert/strict';
import { request } from 'node:http';
import type { Json } from '../v2-client.ts';

/** A row as a budget app keeps it; `cents` is what is left of the amount when its point is deleted. */
export interface BudgetRow {
  readonly id: string;
  readonly day: string;
  readonly cents: number;
  readonly payee: string;
  readonly notes: string;
  readonly booked: boolean;
}

export interface BudgetAccount {
  readonly id: string;
  readonly name: string;
  readonly bank: string;
  readonly balanceCents: number;
  /** Whether the app would ask the person to look after it, and import nothing. */
  readonly needsAttention: boolean;
  readonly rows: readonly BudgetRow[];
}

/**
 * A client of the kind that a budgeting server has: it claims over a bare request, keeps the first piece of the answer,
 * takes the access URL apart with `split`, deletes decimal points, reads days in UTC, and looks for one sentence among
 * the errors. Fails where such an app would store something wrong, and not only where it would crash.
 */
export class BudgetClient {
  readonly #root: string;
  readonly #authorization: string;

  private constructor(root: string, authorization: string) {
    this.#root = root;
    this.#authorization = authorization;
  }

  static async claim(setupToken: string): Promise<BudgetClient> {
    const address = Buffer.from(setupToken, 'base64').toString();
    const key = await new Promise<string>((resolve, reject) => {
      const asked = request(address, { method: 'POST', headers: { 'Content-Length': 0 } }, (answer) => {
        answer.on('data', (piece: Buffer) => resolve(piece.toString()));
      });
      asked.on('error', reject);
      asked.end();
    });
    if (key === 'Forbidden') throw new Error('the token is refused');
    assert.match(key, /^.*\/\/.*:.*@.*$/, 'the access URL has the form that is split');
    const [scheme = '', rest = ''] = key.split('//');
    const [auth = '', host = ''] = rest.split('@');
    const [user = '', password = ''] = auth.split(':');
    assert.equal([user, password].join(':'), auth, 'nothing is lost by splitting at a colon');
    const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
    return new BudgetClient(`${scheme}//${host}`, authorization);
  }

  /** The accounts to choose from. */
  async list(): Promise<readonly BudgetAccount[]> {
    const { accounts, errors } = await this.#ask('balances-only=1');
    return accounts.map((account: Json) => accountOf(account, errors));
  }

  /** Rows of the accounts from one day of UTC up to another, which is not included. */
  async sync(accounts: readonly string[], from: string, until: string): Promise<readonly BudgetAccount[]> {
    const query = new URLSearchParams({
      'start-date': String(Date.parse(from) / 1000),
      'end-date': String(Date.parse(until) / 1000),
      pending: '1',
    });
    for (const id of accounts) query.append('account', id);
    const set = await this.#ask(query.toString());
    return accounts.map((id) => {
      const account = set.accounts.find((one: Json) => one.id === id);
      assert.ok(account, `the account ${id} is missing`);
      return accountOf(account, set.errors);
    });
  }

  async #ask(query: string): Promise<Json> {
    const answer = await fetch(`${this.#root}/accounts?${query}`, {
      headers: { authorization: this.#authorization },
      redirect: 'manual',
    });
    if (answer.status === 403) throw new Error('Forbidden');
    const set = JSON.parse(await answer.text());
    assert.ok(Array.isArray(set.errors) && Array.isArray(set.accounts));
    return set;
  }
}

function accountOf(account: Json, errors: readonly string[]): BudgetAccount {
  const { org } = account;
  for (const text of [org.name, org.domain, org.id, account.id, account.name]) {
    assert.ok(typeof text === 'string' && text !== '');
  }
  assert.ok(Number.isInteger(account['balance-date']));
  return {
    id: account.id,
    name: account.name,
    bank: org.name,
    balanceCents: centsOf(account.balance),
    needsAttention: errors.some((error) => error.startsWith(`Connection to ${org.name} may need attention`)),
    rows: account.transactions.map(rowOf),
  };
}

function rowOf(row: Json): BudgetRow {
  const pending = row.pending ?? row.posted === 0;
  const at = pending ? row.transacted_at : row.posted;
  assert.ok(typeof row.payee === 'string' && row.payee !== '', 'a payee is required');
  return {
    id: row.id,
    day: new Date(at * 1000).toISOString().slice(0, 10),
    cents: centsOf(row.amount),
    payee: row.payee,
    notes: row.description,
    booked: !pending,
  };
}

function centsOf(text: string): number {
  assert.match(text, /^-?\d+\.\d{2}$/, 'a point can be deleted only where two digits follow');
  return Number.parseInt(text.replace('.', ''), 10);
}
