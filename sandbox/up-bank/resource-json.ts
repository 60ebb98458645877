import { centsText } from '../shared/decimal.ts';
import type { Json, JsonObject } from '../shared/json.ts';
import { CHILDREN, categoryName, parentOf } from './categories.ts';
import type { Customer, UpAccount } from './customer.ts';
import { momentText } from './days.ts';
import type { Movement } from './movement.ts';

/** An amount as Up writes it: as text, and in the smallest unit. */
function money(cents: number, currency = 'AUD'): JsonObject {
  // Yen have no smaller unit.
  const whole = currency === 'JPY';
  const units = whole ? Math.trunc(cents / 100) : cents;
  return {
    currencyCode: currency,
    value: whole ? String(units) : centsText(cents),
    valueInBaseUnits: units,
  };
}

/** @param base of the API, the start of links */
export function accountJson(account: UpAccount, now: number, base: string): JsonObject {
  const { facts, id } = account;
  const self = `${base}/accounts/${id}`;
  return {
    type: 'accounts',
    id,
    attributes: {
      displayName: facts.name,
      accountType: facts.type,
      ownershipType: facts.ownership,
      balance: money(account.standing(now).cents),
      createdAt: momentText(facts.openedAt),
    },
    relationships: { transactions: { links: { related: `${self}/transactions` } } },
    links: { self },
  };
}

const related = (type: string, id: string | null, base: string): JsonObject =>
  id === null
    ? { data: null }
    : { data: { type, id }, links: { related: `${base}/${type}/${encodeURIComponent(id)}` } };

/** A movement, held or settled as of `now`. @param base of the API, the start of links */
export function transactionJson(
  row: Movement,
  account: string,
  { name }: Pick<Customer, 'name'>,
  now: number,
  base: string,
): JsonObject {
  const settled = row.settlesAt <= now;
  const self = `${base}/transactions/${row.id}`;
  const foreign = row.foreign === null ? null : money(row.foreign.cents, row.foreign.currency);
  const wasHeld = row.settlesAt > row.createdAt;
  const category = related('categories', row.category, base);
  return {
    type: 'transactions',
    id: row.id,
    attributes: {
      status: settled ? 'SETTLED' : 'HELD',
      rawText: row.rawText,
      description: row.description,
      message: row.message,
      isCategorizable: row.transferAccount === null && row.cents < 0,
      holdInfo: wasHeld ? { amount: money(row.cents), foreignAmount: foreign } : null,
      roundUp: row.roundUpCents === null ? null : { amount: money(row.roundUpCents), boostPortion: null },
      cashback: null,
      amount: money(row.cents),
      foreignAmount: foreign,
      cardPurchaseMethod: row.byCard ? { method: 'CONTACTLESS', cardNumberSuffix: '0456' } : null,
      settledAt: settled ? momentText(row.settlesAt) : null,
      createdAt: momentText(row.createdAt),
      transactionType: row.kind,
      note: null,
      performingCustomer: { displayName: name },
    },
    relationships: {
      account: related('accounts', account, base),
      transferAccount: related('accounts', row.transferAccount, base),
      category: { ...category, links: { ...linksOf(category), self: `${self}/relationships/category` } },
      parentCategory: related('categories', row.category === null ? null : parentOf(row.category), base),
      tags: { data: [], links: { self: `${self}/relationships/tags` } },
      attachment: { data: null },
    },
    links: { self },
  };
}

function linksOf(relationship: JsonObject): JsonObject {
  const { links } = relationship;
  return typeof links === 'object' && links !== null && !isList(links) ? links : {};
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

/** @param base of the API, the start of links */
export function categoryJson(id: string, base: string): JsonObject {
  const below = Object.entries(CHILDREN).find(([parent]) => parent === id)?.[1] ?? [];
  return {
    type: 'categories',
    id,
    attributes: { name: categoryName(id) },
    relationships: {
      parent: related('categories', parentOf(id), base),
      children: {
        data: below.map((child) => ({ type: 'categories', id: child })),
        links: { related: `${base}/categories?${new URLSearchParams({ 'filter[parent]': id })}` },
      },
    },
    links: { self: `${base}/categories/${id}` },
  };
}
