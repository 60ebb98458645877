const names = new Intl.ListFormat('en', { type: 'conjunction' });

export const INSIGHTS = {
  title: 'Over time',
  currency: 'Currency',
  period: 'Period',
  months: (count: number) => `${count} months`,
  nothing: 'None of your accounts has a balance or a transaction to show.',
  needsBalances: 'These charts need the balances, which could not be read.',
  position: {
    title: 'Net position over time',
    label: (currency: string) => `Net position in ${currency}, at the end of each day`,
    today: 'Today',
    since: (change: string, day: string) => `${change} since ${day}`,
    none: 'No account in this currency has both a balance and transactions that can be read.',
    day: 'Day',
    value: 'Net position',
  },
  spending: {
    title: 'Spending',
    byMonth: 'Spending by month',
    byCategory: (month: string) => `Spending by category in ${month}`,
    earlier: 'Earlier month',
    later: 'Later month',
    none: (month: string) => `No spending in ${month}.`,
    uncategorised: 'Uncategorised',
    unnamed: 'Other category',
    all: (count: number) => `Show all ${count} categories`,
    fewer: 'Show fewer',
    leftOut:
      'Posted transactions. Income, transfers and cash withdrawals are left out; loan repayments count.',
    leftOutWithCards:
      'Posted transactions. Income, transfers, cash withdrawals and payments of your cards are left out; other loan repayments count.',
    missing: 'Some accounts could not be read, so their spending is missing.',
    short: 'An account has more transactions than are read here, so this month is not complete.',
  },
  notes: {
    how: 'Worked out from the balances now and posted transactions; banks do not report earlier balances.',
    unread: 'Not included, because transactions could not be read:',
    withoutBalance: 'Not included, because no balance could be read:',
    unverified: 'Not included, because it is not known whether the balance is owed or in credit:',
    short: (day: string) => `Starts on ${day}, because there are more transactions than are read here:`,
    still: 'Without transactions in this time, so the balance is taken as unchanged:',
    stale: 'The balance may be out of date:',
    names: (list: readonly string[]) => `${names.format(list)}.`,
  },
} as const;
