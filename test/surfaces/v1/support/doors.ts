import assert from 'node:assert/strict';
import { publicId, rowId } from '../../../../src/vocabulary/ids.ts';
import { currencyExponent } from '../../../../src/vocabulary/money.ts';
import {
  isProviderIdentifier,
  type ProviderRow,
  providerRowId,
} from '../../../../src/vocabulary/provider-kinds.ts';
import type { ConnectedApp } from '../../../support/bridge.ts';
import type { TestOwner } from '../../../support/service.ts';
import type { Json } from '../../../support/v2-client.ts';
import type { V1Client } from './v1-client.ts';

/** An account as the tests name it to every door. */
export interface AccountAtDoors {
  readonly uuid: string;
  readonly connection: string;
  readonly provider: string;
  /** Of its rows, which name none in v1. */
  readonly currency: string;
}

export interface Window {
  readonly from: string;
  readonly to: string;
  readonly pending: boolean;
}

/** A row in the terms that all doors share: v2's id, the day, minor units. */
export interface ToldRow {
  readonly id: string;
  readonly date: string | null;
  readonly cents: number | null;
  readonly currency: string;
}

/**
 * Rows of v1 as v2 has them: v1 promises a day, so a pending row that has none in v2 has the present day there.
 * `now` is epoch ms; the present day is that of any time zone.
 */
export function withoutPresentDays(
  v1Rows: readonly ToldRow[],
  v2Rows: readonly ToldRow[],
  now: number,
): ToldRow[] {
  const undated = new Set(v2Rows.filter(({ date }) => date === null).map(({ id }) => id));
  const present = [-1, 0, 1].map((days) => new Date(now + days * 86_400_000).toISOString().slice(0, 10));
  return v1Rows.map((row) => {
    if (!undated.has(row.id)) return row;
    assert.ok(
      present.includes(row.date ?? ''),
      `${row.id} is pending without a day, and v1 says ${row.date}`,
    );
    return { ...row, date: null };
  });
}

/** A way to read accounts. What a door does not have it leaves out. */
export interface Door {
  readonly name: string;
  readonly balance?: (account: AccountAtDoors) => Promise<ToldBalance>;
  readonly transactions?: (account: AccountAtDoors, window: Window) => Promise<ToldRow[]>;
  readonly trades?: (account: AccountAtDoors, window: Window) => Promise<ToldRow[]>;
  readonly holdings?: (account: AccountAtDoors) => Promise<ToldRow[]>;
}

export interface ToldBalance {
  readonly current: number | null;
  readonly available: number | null;
  readonly currency: string;
}

/** Minor units of a decimal text, rounded half away from zero, counted in whole numbers throughout. */
export function centsOf(text: string | null, currency: string): number | null {
  if (text === null) return null;
  const [, sign, units = '', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? assert.fail(text);
  const places = currencyExponent(currency);
  const digits = BigInt(units + fraction.padEnd(places, '0').slice(0, places));
  const up = (fraction[places] ?? '0') >= '5' ? 1n : 0n;
  const cents = Number(digits + up);
  return sign === '-' && cents !== 0 ? -cents : cents;
}

export function v1Door(v1: V1Client): Door {
  const pages = async (path: string, rowOf: (row: Json) => ToldRow): Promise<ToldRow[]> => {
    const rows: ToldRow[] = [];
    for (let offset = 0; ; offset += 500) {
      const { status, body, text } = await v1(`${path}&limit=500&offset=${offset}`);
      assert.equal(status, 200, text);
      rows.push(...body.data.map(rowOf));
      if (!body.pagination.hasMore) return rows;
    }
  };
  const tagged = (kind: ProviderRow, { provider }: AccountAtDoors, id: string): string => {
    assert.ok(isProviderIdentifier(provider), provider);
    return providerRowId(kind, provider, id);
  };
  const place = ({ uuid, connection }: AccountAtDoors): string =>
    `connectionId=${connection}&accountId=${uuid}`;
  return {
    name: 'v1',
    balance: async ({ uuid }) => {
      const { status, body, text } = await v1(`/balances?accountIds=${uuid}`);
      assert.equal(status, 200, text);
      const [{ currentBalance, availableBalance, currency }] = body.data;
      return {
        current: centsOf(currentBalance, currency),
        available: centsOf(availableBalance, currency),
        currency: currency.toLowerCase(),
      };
    },
    transactions: (account, { from, to, pending }) =>
      pages(`/transactions?${place(account)}&from=${from}&to=${to}&includePending=${pending}`, (row) => {
        assert.equal(row.direction, row.amount.startsWith('-') ? 'debit' : 'credit');
        return {
          id: tagged('transaction', account, row.id),
          date: row.date,
          cents: centsOf(row.amount, account.currency),
          currency: account.currency,
        };
      }),
    trades: (account, { from, to }) =>
      pages(`/trades?${place(account)}&from=${from}&to=${to}`, (row) => ({
        id: tagged('trade', account, row.id),
        date: row.tradeDate.slice(0, 10),
        cents: centsOf(row.totalAmount, row.currency),
        currency: row.currency.toLowerCase(),
      })),
    holdings: async (account) => {
      const { status, body, text } = await v1(`/holdings?${place(account)}`);
      assert.equal(status, 200, text);
      return body.data.map((row: Json) => ({
        id: tagged('holding', account, row.id),
        date: null,
        cents: centsOf(row.marketValue, row.currency),
        currency: row.currency.toLowerCase(),
      }));
    },
  };
}

export function v2Door({ v2 }: Pick<TestOwner, 'v2'>): Door {
  const idOf = ({ uuid }: AccountAtDoors): string => publicId('account', rowId('account', uuid));
  const pages = async (path: string, rowOf: (row: Json) => ToldRow): Promise<ToldRow[]> => {
    const rows: ToldRow[] = [];
    for (let next: string | null = `${path}&limit=100`; next !== null; ) {
      const { pathname, search }: URL = new URL(next, 'http://localhost');
      const { status, body } = await v2('GET', pathname + search);
      assert.equal(status, 200, JSON.stringify(body));
      rows.push(...body.data.map(rowOf));
      next = body.next_page_url;
    }
    return rows;
  };
  return {
    name: 'v2',
    balance: async (account) => {
      const { body } = await v2('GET', `/v2/accounts/${idOf(account)}/balance`);
      return {
        current: body.current?.amount ?? null,
        available: body.available?.amount ?? null,
        currency: body.currency,
      };
    },
    transactions: (account, { from, to, pending }) =>
      pages(
        `/v2/transactions?account=${idOf(account)}&from=${from}&to=${to}&include_pending=${pending}`,
        (row) => ({ id: row.id, date: row.date, cents: row.amount.amount, currency: row.amount.currency }),
      ),
    trades: (account, { from, to }) =>
      pages(`/v2/trades?account=${idOf(account)}&from=${from}&to=${to}`, (row) => ({
        id: row.id,
        date: row.trade_date,
        cents: row.total_amount?.amount ?? 0,
        currency: row.currency,
      })),
    holdings: (account) =>
      pages(`/v2/holdings?account=${idOf(account)}`, (row) => ({
        id: row.id,
        date: null,
        cents: row.market_value?.amount ?? null,
        currency: row.currency,
      })),
  };
}

/** The bridge has accounts of banks alone, and judges a window by moments: of whole days, those of UTC. */
export function bridgeDoor(app: Pick<ConnectedApp, 'accounts'>, now: () => number): Door {
  const only = async ({ uuid }: AccountAtDoors, query: string): Promise<Json> => {
    const { status, body, text } = await app.accounts(`account=${uuid}&${query}`);
    assert.equal(status, 200, text);
    assert.deepEqual([body.errors, body.accounts.length], [[], 1]);
    return body.accounts[0];
  };
  return {
    name: 'bridge',
    balance: async (account) => {
      const one = await only(account, 'balances-only=1');
      assert.equal(one.currency, account.currency.toUpperCase());
      const available = one['available-balance'] ?? null;
      return {
        current: centsOf(one.balance, account.currency),
        available: centsOf(available, account.currency),
        currency: account.currency,
      };
    },
    transactions: async (account, { from, to, pending }) => {
      const start = Date.parse(from) / 1000;
      const end = Date.parse(to) / 1000 + 86_400;
      const shown = pending ? '&pending=1' : '';
      const { transactions } = await only(account, `start-date=${start}&end-date=${end}${shown}`);
      // After the bank's midnight and before that of UTC, rows of the bank's new day are in the period of both days.
      const isToCome = ({ transacted_at: at }: Json): boolean => at >= end && at * 1000 >= now();
      return transactions
        .filter((row: Json) => !isToCome(row))
        .map((row: Json) => ({
          id: row.id,
          date: new Date(row.transacted_at * 1000).toISOString().slice(0, 10),
          cents: centsOf(row.amount, account.currency),
          currency: account.currency,
        }));
    },
  };
}
