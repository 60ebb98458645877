import { escapeHtml } from '../shared/html.ts';
import type { JsonObject } from '../shared/json.ts';

export const BANK_STATUSES = ['HEALTHY', 'OUTAGE'] as const;
export type BankStatus = (typeof BANK_STATUSES)[number];

export type Bank = {
  readonly key: string;
  readonly name: string;
  /** The bank's number in account numbers. */
  readonly number: string;
  /** Shows debt on cards and loans as a positive balance. */
  readonly positiveDebt: boolean;
  status: BankStatus;
  /** Whether people who sign in are moved to the bank's official connection. */
  migrating: boolean;
};

const LIST = [
  { key: 'harakeke', name: 'Harakeke Bank', number: '01', positiveDebt: false },
  { key: 'rimu', name: 'Rimu Bank', number: '02', positiveDebt: true },
  { key: 'kauri', name: 'Kauri Savings', number: '03', positiveDebt: false },
] as const;

/** The vendor's id of a bank's connection: each bank has a classic and an official one. */
export function connectionId(key: string, official: boolean): string {
  return `conn_sandbox_${key}${official ? '_official' : ''}`;
}

/** All banks. */
export class Banks {
  readonly #banks: readonly Bank[] = LIST.map((bank) => ({ ...bank, status: 'HEALTHY', migrating: false }));
  readonly #pagesUrl: () => string;

  constructor(pagesUrl: () => string) {
    this.#pagesUrl = pagesUrl;
  }

  get(key: string): Bank | null {
    return this.#banks.find((bank) => bank.key === key) ?? null;
  }

  /** The bank of a connection, classic or official. */
  ofConnection(id: string): Bank | null {
    return (
      this.#banks.find(({ key }) => id === connectionId(key, false) || id === connectionId(key, true)) ?? null
    );
  }

  /** What an account says about its connection. */
  info({ key, name }: Bank, official: boolean): JsonObject {
    return {
      _id: connectionId(key, official),
      name,
      logo: this.logoUrl(key),
      connection_type: official ? 'official' : 'classic',
    };
  }

  /** Every connection, in the form of `/connections`. */
  list(): readonly JsonObject[] {
    return this.#banks.flatMap((bank) => [
      { ...this.info(bank, false), new_connections_enabled: !bank.migrating },
      {
        ...this.info(bank, true),
        _classic: connectionId(bank.key, false),
        new_connections_enabled: bank.migrating,
        mode: 'migration',
      },
    ]);
  }

  logoUrl(key: string): string {
    return `${this.#pagesUrl()}/logos/${key}.svg`;
  }
}

/** A bank's logo: its initial. */
export function logoSvg({ name }: Bank): string {
  return (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#16504b"/>' +
    `<text x="16" y="22" font-family="sans-serif" font-size="17" fill="#fff" text-anchor="middle">${escapeHtml(name.charAt(0))}</text></svg>`
  );
}
