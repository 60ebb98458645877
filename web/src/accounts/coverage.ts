import type { AccountAside, RowAside } from '../api/held-rows.ts';
import type { KnownAccount, Movement } from './net-position.ts';

/** An account as the page has read it. */
export interface ReadAccount {
  readonly name: string;
  /** Its current balance; null if the bank gives none, or could not be read. */
  readonly balance: { readonly amount: bigint; readonly currency: string } | null;
  /** Whether it is unknown if the balance is owed or in credit. */
  readonly isUnverified: boolean;
  /** Null if its transactions could not be read. */
  readonly history: {
    readonly from: string;
    readonly movements: readonly Movement[];
    readonly aside: readonly RowAside[];
  } | null;
}

/** The accounts that make up a position over time, and those that are missing or incomplete in it. */
export interface Coverage {
  readonly known: readonly KnownAccount[];
  /** Left out: no balance now. */
  readonly withoutBalance: readonly string[];
  /** Left out: it is unknown whether the balance is owed or in credit. */
  readonly unverified: readonly string[];
  /** Left out: no transactions. */
  readonly unread: readonly string[];
  /** The position begins later, because they have more rows than are read. */
  readonly short: readonly string[];
  /** No transaction in the whole time, so that the balance is assumed to be unchanged. */
  readonly still: readonly string[];
  /** Rows that could not be read, which the position is without. */
  readonly aside: readonly AccountAside[];
}

export function coverageOf(accounts: readonly ReadAccount[], currency: string, from: string): Coverage {
  const ofCurrency = accounts.filter(({ balance }) => balance?.currency === currency);
  const inCurrency = ofCurrency.filter(({ isUnverified }) => !isUnverified);
  const names = (some: readonly ReadAccount[]) => some.map(({ name }) => name);
  const read = inCurrency.flatMap((account) =>
    account.history === null ? [] : [{ account, history: account.history }],
  );
  const own = ({ movements }: { readonly movements: readonly Movement[] }) =>
    movements.filter((movement) => movement.currency === currency);
  return {
    known: read.map(({ account, history }) => ({
      balance: account.balance?.amount ?? 0n,
      movements: own(history),
      from: history.from,
    })),
    withoutBalance: names(accounts.filter(({ balance }) => balance === null)),
    unverified: names(ofCurrency.filter(({ isUnverified }) => isUnverified)),
    unread: names(inCurrency.filter(({ history }) => history === null)),
    short: names(read.filter(({ history }) => history.from > from).map(({ account }) => account)),
    aside: asideIn(inCurrency, from),
    still: names(read.filter(({ history }) => own(history).length === 0).map(({ account }) => account)),
  };
}

/** The rows of accounts since a day that could not be read; one without a day may be of any. */
export function asideIn(accounts: readonly ReadAccount[], from: string): readonly AccountAside[] {
  return accounts
    .map(({ name, history }) => ({
      name,
      rows: (history?.aside ?? []).filter(({ day }) => day === null || day >= from),
    }))
    .filter(({ rows }) => rows.length > 0);
}

/** Currencies of the balances and movements: those first that have a line to show, then those of most accounts. */
export function currenciesOf(accounts: readonly ReadAccount[]): readonly string[] {
  const counts = new Map<string, { readonly known: number; readonly all: number }>();
  for (const { balance, history } of accounts) {
    const own = new Set([
      ...(balance === null ? [] : [balance.currency]),
      ...(history?.movements ?? []).map(({ currency }) => currency),
    ]);
    for (const currency of own) {
      const { known, all } = counts.get(currency) ?? { known: 0, all: 0 };
      const isKnown = history !== null && balance?.currency === currency;
      counts.set(currency, { known: known + (isKnown ? 1 : 0), all: all + 1 });
    }
  }
  const order = [...counts].toSorted(
    ([, a], [, b]) => Math.sign(b.known) - Math.sign(a.known) || b.all - a.all,
  );
  return order.map(([currency]) => currency);
}
