/** Part of every text of the marked bank that a bank would know and we must not store. */
export const TEXT_MARK = 'ZQXJVKWP';
/** Part of every amount and number: in decimals, and in minor units as well. */
export const DIGIT_MARK = '7391046285';

const HOLDER = '77002';
/** The name the sandbox gives a bank of a data file. */
export const MARKED_BANK = `Data File Bank ${HOLDER}`;

const ROWS = [
  { sign: '-', status: 'POSTED', day: '2024-03-01' },
  { sign: '', status: 'POSTED', day: '2024-03-02' },
  { sign: '-', status: 'POSTED', day: '2024-03-04' },
  { sign: '-', status: 'PENDING', day: '2024-03-05' },
] as const;

/** A bank data file whose every description, amount, merchant, reference and number carries a mark. */
export function markedBank(): unknown {
  const transactions = ROWS.map(({ sign, status, day }, index) => ({
    accountId: 'marked-1',
    transactionId: `m${index}`,
    amount: `${sign}${DIGIT_MARK}.${10 + index}`,
    currency: 'AUD',
    description: `${TEXT_MARK} déscription ${index}`,
    reference: `${TEXT_MARK} reference ${index}`,
    merchantName: `${TEXT_MARK} merchant ${index}`,
    merchantCategoryCode: '5411',
    status,
    type: 'PAYMENT',
    isDetailAvailable: false,
    executionDateTime: `${day}T01:00:00Z`,
    ...(status === 'POSTED' ? { postingDateTime: `${day}T02:00:00Z` } : {}),
  }));
  return {
    fileVersion: '1.0.0',
    holders: [
      {
        holderId: HOLDER,
        holder: {
          authenticated: {
            customers: [
              {
                customerId: 'marked',
                customer: { customerUType: 'person', person: { firstName: 'Ann', lastName: 'Other' } },
                banking: {
                  accounts: [
                    {
                      account: {
                        accountId: 'marked-1',
                        displayName: 'Everyday',
                        maskedNumber: 'xxxx0042',
                        accountNumber: `${DIGIT_MARK}0042`,
                        bsb: '012345',
                        productCategory: 'TRANS_AND_SAVINGS_ACCOUNTS',
                        productName: `${TEXT_MARK} product`,
                        fees: [{ name: `${TEXT_MARK} fee`, feeType: 'PERIODIC', amount: `${DIGIT_MARK}.77` }],
                      },
                      balance: {
                        accountId: 'marked-1',
                        currentBalance: `${DIGIT_MARK}.88`,
                        availableBalance: `${DIGIT_MARK}.99`,
                        currency: 'AUD',
                      },
                      transactions,
                    },
                  ],
                },
              },
            ],
          },
        },
      },
    ],
  };
}
