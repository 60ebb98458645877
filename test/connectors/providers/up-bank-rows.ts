/** A transaction as Up writes it; `attributes` and `relationships` replace members of those. */
export function wireTransaction(
  id: string | null,
  attributes: Readonly<Record<string, unknown>> = {},
  relationships: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  return {
    type: 'transactions',
    ...(id === null ? {} : { id }),
    attributes: {
      status: 'SETTLED',
      rawText: 'SECOND CRACK SYDNEY AU',
      description: 'Second Crack',
      message: null,
      isCategorizable: true,
      holdInfo: null,
      roundUp: null,
      cashback: null,
      amount: wireMoney(-1234),
      foreignAmount: null,
      cardPurchaseMethod: { method: 'CONTACTLESS', cardNumberSuffix: '0456' },
      settledAt: '2026-01-17T09:00:00+11:00',
      createdAt: '2026-01-15T14:00:00+11:00',
      transactionType: 'Purchase',
      note: null,
      performingCustomer: { displayName: 'Bobby' },
      ...attributes,
    },
    relationships: {
      account: { data: { type: 'accounts', id: 'acc-1' } },
      transferAccount: { data: null },
      category: { data: { type: 'categories', id: 'restaurants-and-cafes' } },
      parentCategory: { data: { type: 'categories', id: 'good-life' } },
      ...relationships,
    },
  };
}

/** Money as Up writes it, in a currency of hundredths. */
export function wireMoney(cents: number, currencyCode = 'AUD'): Record<string, unknown> {
  const digits = String(Math.abs(cents)).padStart(3, '0');
  const value = `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
  return { currencyCode, value, valueInBaseUnits: cents };
}

/** An account as Up writes it. */
export function wireAccount(
  id: string,
  attributes: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  return {
    type: 'accounts',
    id,
    attributes: {
      displayName: 'Spending',
      accountType: 'TRANSACTIONAL',
      ownershipType: 'INDIVIDUAL',
      balance: wireMoney(12_536),
      createdAt: '2024-08-06T12:18:30+10:00',
      ...attributes,
    },
    relationships: {
      transactions: { links: { related: 'https://api.up.com.au/api/v1/accounts/x/transactions' } },
    },
  };
}
