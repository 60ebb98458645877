const HOLDER = '77005';
const DAY_MS = 86_400_000;
const FIRST_DAY = Date.UTC(2026, 5, 1);

/** The name the sandbox gives the bank of the data file. */
export const EARLIER_BANK = `Data File Bank ${HOLDER}`;
/** More than one chunk and less than two, so that a sync can be stopped between them. */
export const EARLIER_ROWS = 700;

/**
 * The bank behind the stored data directories: one customer with two accounts, another with one. Later a pending row has
 * been posted and three rows have been added.
 */
export function earlierBank(later: boolean): unknown {
  const everyday = Array.from({ length: EARLIER_ROWS + (later ? 3 : 0) }, (_, n) => row('everyday', n));
  return {
    fileVersion: '1.0.0',
    holders: [
      {
        holderId: HOLDER,
        holder: {
          authenticated: {
            customers: [
              customer('first', [
                account('everyday', '900000001', [...everyday, row('everyday', 9_000, !later)]),
                account(
                  'savings',
                  '900000002',
                  Array.from({ length: 40 }, (_, n) => row('savings', n)),
                ),
              ]),
              customer('second', [account('other', '900000003', [row('other', 0), row('other', 1)])]),
            ],
          },
        },
      },
    ],
  };
}

function customer(customerId: string, accounts: readonly unknown[]) {
  const person = { firstName: 'Ann', lastName: customerId };
  return { customerId, customer: { customerUType: 'person', person }, banking: { accounts } };
}

function account(accountId: string, accountNumber: string, transactions: readonly unknown[]) {
  const balance = { accountId, currentBalance: '100.00', availableBalance: '100.00', currency: 'AUD' };
  return {
    account: {
      accountId,
      displayName: accountId,
      maskedNumber: `xxxx${accountNumber.slice(-4)}`,
      accountNumber,
      bsb: '012345',
      productCategory: 'TRANS_AND_SAVINGS_ACCOUNTS',
      productName: accountId,
    },
    balance,
    transactions,
  };
}

function row(accountId: string, n: number, pending = false) {
  const at = new Date(FIRST_DAY + (n < EARLIER_ROWS ? n % 170 : 172) * DAY_MS).toISOString();
  return {
    accountId,
    transactionId: `${accountId}-${n}`,
    amount: `-${10 + (n % 90)}.${String(n % 100).padStart(2, '0')}`,
    currency: 'AUD',
    description: `Purchase ${n} at a shop`,
    reference: `${n}`,
    merchantName: `Shop ${n % 7}`,
    merchantCategoryCode: '5411',
    status: pending ? 'PENDING' : 'POSTED',
    type: 'PAYMENT',
    isDetailAvailable: false,
    executionDateTime: at,
    ...(pending ? {} : { postingDateTime: at }),
  };
}
