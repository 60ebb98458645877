import { counted, listText } from '../format/numbers.ts';
import { CHARTS } from './charts.ts';
import { translated } from './translated.ts';

export const INSIGHTS = translated('INSIGHTS', {
  currency: 'Currency',
  nothing: 'None of your accounts has a balance or a transaction to show.',
  needsTransactions: 'Income and spending need the transactions, which could not be read.',
  needsBalances: 'These charts need the balances, which could not be read.',
  worth: {
    label: (currency: string) => `Net worth in ${currency}, at the end of each day`,
    total: (currency: string) => `Net worth · ${currency}`,
    today: 'Now',
    change: (change: string, day: string) => `${change} since ${day}`,
    bankChange: (change: string, day: string) => `${change} at banks since ${day}`,
    held: 'Held at banks',
    owed: 'Owed',
    invested: 'Investments',
    banks: 'At banks, less what is owed',
    withInvested: 'With investments',
    bandNote: 'With investments at what they are worth now',
    parts: (currency: string) => `Currencies in ${currency}`,
    part: (own: string, rate: string) => `${own} at ${rate}`,
    currencyHead: 'Currency',
    ownHead: 'Amount',
    rateHead: 'Rate',
    noRate: 'None needed',
    level:
      'Investments are drawn level, at what they are worth now, because brokers do not report earlier prices; so the change is that of the bank accounts. Cash at a broker is not counted.',
    rates: (list: readonly string[]) =>
      `Converted at the rates that the operator set, for all days: ${listText(list)}.`,
    apart: (currencies: readonly string[], to: string) =>
      `${listText(currencies)} ${currencies.length === 1 ? 'is' : 'are'} shown separately, because no exchange rate to ${to} is set. The operator of this service sets exchange rates.`,
    lacksMore: (count: number) =>
      `Without ${counted(count, 'further account at a broker', 'further accounts at brokers')}, which this page does not read.`,
    locked: 'Without what you hold at brokers, because your plan does not include brokerage data.',
    ratesGuide: 'How exchange rates are set',
    noLine: 'Without bank accounts there is no line over time, because brokers do not report earlier prices.',
  },
  position: {
    title: 'Net position over time',
    label: (currency: string) => `Net position in ${currency}, at the end of each day`,
    today: 'Today',
    since: (change: string, day: string) => `${change} since ${day}`,
    none: 'No account in this currency has both a balance and transactions that can be read.',
    day: 'Day',
    value: 'Net position',
    course: (
      first: { readonly day: string; readonly value: string },
      last: { readonly day: string; readonly value: string },
      low: { readonly day: string; readonly value: string },
      high: { readonly day: string; readonly value: string },
    ) =>
      `From ${first.value} on ${first.day} to ${last.value} on ${last.day}. Lowest on ${low.day} with ${low.value}, highest on ${high.day} with ${high.value}.`,
  },
  budget: {
    title: CHARTS.budget,
    label: 'Income and spending by month',
    in: 'Income',
    out: 'Spending',
    net: 'Saved',
    column: (month: string, income: string, spent: string) => `${month}: ${income} income, ${spent} spent`,
    month: 'Month',
    description: (income: string, spent: string, months: number) =>
      `${income} income and ${spent} spent in ${counted(months, 'month', 'months')}.`,
    note: 'Posted transactions. Transfers, loan accounts and payments of linked cards are left out.',
  },
  spending: {
    title: CHARTS.spending,
    byMonth: 'Spending by month',
    byCategory: (month: string) => `Spending by category in ${month}`,
    earlier: 'Earlier month',
    later: 'Later month',
    none: (month: string) => `No spending in ${month}.`,
    uncategorised: 'Uncategorised',
    unnamed: 'Other category',
    all: (count: number) => `Show all ${count} categories`,
    fewer: 'Show fewer',
    monthHead: 'Month',
    categoryHead: 'Category',
    amountHead: 'Spending',
    shareHead: 'Share',
    description: (highest: string, amount: string, average: string) =>
      `Most was spent in ${highest}: ${amount}. The average of a month is ${average}.`,
    open: (name: string) => `What ${name} is made of`,
    back: 'All categories',
    kinds: (name: string) => `Kinds of ${name}`,
    merchants: (name: string) => `Where it was spent on ${name}`,
    kindsTitle: 'By kind',
    merchantsTitle: 'By merchant',
    otherKind: 'Without a kind',
    noMerchant: 'Unnamed',
    more: (count: number) => counted(count, 'more merchant', 'more merchants'),
    rows: 'See the transactions',
    otherCurrencies: (amounts: readonly string[], month: string) =>
      `In other currencies in ${month}: ${listText(amounts)}.`,
    leftOut:
      'Posted transactions. Income, transfers and cash withdrawals are left out; loan repayments count.',
    leftOutWithCards:
      'Posted transactions. Income, transfers, cash withdrawals and payments of your cards are left out; other loan repayments count.',
    missing: 'Some accounts could not be read, so their spending is missing.',
    short: 'An account has more transactions than are read here, so this month is not complete.',
  },
  notes: {
    how: CHARTS.worthHow,
    unread: 'Not included, because transactions could not be read:',
    withoutBalance: 'Not included, because no balance could be read:',
    unverified: 'Not included, because it is not known whether the balance is owed or in credit:',
    short: (day: string) => `Starts on ${day}, because there are more transactions than are read here:`,
    still: 'Without transactions in this time, so the balance is taken as unchanged:',
    names: (list: readonly string[]) => `${listText(list)}.`,
  },
});
