import fc from 'fast-check';

/** Days around which zones change their offset, and the ends of months and years. */
const SWITCHES = ['2025-04-05', '2025-10-04', '2026-04-04', '2024-02-28', '2025-12-31', '2026-06-30'];
const OFFSETS = ['Z', '+10:00', '+11:00', '+09:30', '-08:00', '+00:00', '+13:00'];
const DAY_MS = 86_400_000;

/** A moment near one of them, or any of three years, as a bank with some offset writes it. */
const moment = fc
  .tuple(
    fc.oneof(
      fc
        .constantFrom(...SWITCHES)
        .chain((day) => fc.integer({ min: 0, max: 2 * DAY_MS }).map((ms) => Date.parse(day) + ms)),
      fc.integer({ min: Date.parse('2023-12-01'), max: Date.parse('2026-11-01') }),
    ),
    fc.constantFrom(...OFFSETS),
  )
  .map(([at, offset]) => written(Math.floor(at / 1000) * 1000, offset));

function written(at: number, offset: string): string {
  const [, sign = '+', hours = '0', minutes = '0'] = /^([+-])(\d\d):(\d\d)$/.exec(offset) ?? [];
  const shift = (Number(hours) * 60 + Number(minutes)) * 60_000 * (sign === '-' ? -1 : 1);
  return `${new Date(at + shift).toISOString().slice(0, 19)}${offset}`;
}

/** With no decimals, some, or more than the currency has. */
const amount = fc
  .tuple(fc.bigInt({ min: 0n, max: 9_000_000_000_000n }), fc.integer({ min: 0, max: 5 }), fc.boolean())
  .map(([digits, places, out]) => {
    const text = digits.toString().padStart(places + 1, '0');
    const whole = text.slice(0, text.length - places);
    const plain = places === 0 ? whole : `${whole}.${text.slice(-places)}`;
    return out ? `-${plain}` : plain;
  });

/** What no database text can hold is not a character of a description (adding-a-provider.md). */
const description = fc
  .oneof(
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 80 }),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 80 }),
    fc.constantFrom(
      '=1+1',
      ' spaces  inside and around ',
      'tab\tand\nline',
      '🏦 naïve café',
      '"quoted", \\ and /',
      '‮right to left',
    ),
  )
  .filter((text) => text.isWellFormed() && !text.includes('\0'));

const row = fc.record({
  status: fc.constantFrom('POSTED', 'POSTED', 'PENDING'),
  type: fc.constantFrom('PAYMENT', 'FEE', 'TRANSFER_INCOMING', 'OTHER'),
  amount,
  currency: fc.constantFrom('AUD', 'AUD', 'USD', 'JPY', 'KWD'),
  description,
  postingDateTime: moment,
  executionDateTime: fc.option(moment),
});

/** A bank data file of the standard's shape: one bank, one customer, accounts with rows of every kind. */
export const bankFile = fc
  .array(fc.array(row, { maxLength: 25 }), { minLength: 1, maxLength: 3 })
  .filter((accounts) => accounts.some((rows) => rows.length > 0))
  .map((accounts) => ({
    holders: [
      {
        holderId: '77123',
        holder: {
          authenticated: {
            customers: [
              {
                customerId: 'generated',
                customer: { customerUType: 'person', person: { firstName: 'Ge', lastName: 'Nerated' } },
                banking: { accounts: accounts.map(accountOf) },
              },
            ],
          },
        },
      },
    ],
  }));

function accountOf(rows: readonly object[], at: number) {
  const accountId = `generated-${at}`;
  return {
    account: {
      accountId,
      displayName: `Account ${at}`,
      maskedNumber: `xxx ${100 + at}`,
      accountNumber: `000123${100 + at}`,
      productCategory: 'TRANS_AND_SAVINGS_ACCOUNTS',
      productName: 'Everyday',
    },
    balance: { accountId, currentBalance: `${at}.10`, availableBalance: '0.00', currency: 'AUD' },
    transactions: rows.map((entry, index) => ({
      accountId,
      transactionId: `row-${at}-${index}`,
      isDetailAvailable: false,
      reference: '',
      ...entry,
    })),
  };
}
