import { counted, listText } from '../format/numbers.ts';
import { translated } from './translated.ts';

export const BROKERAGE = translated('BROKERAGE', {
  tabs: 'Holdings and trades',
  account: 'Account',
  everyAccount: 'All accounts',
  unlinked: 'No broker is linked yet',
  unlinkedText:
    'Link a broker to see what you hold and what you traded. It is read from the broker when you look, and not stored.',
  link: 'Link a broker',
  locked: 'Your plan does not include brokerage data',
  lockedText:
    'Holdings and trades need the Professional plan, or a trial. Bank accounts and their transactions stay as they are.',
  explain: 'What each plan includes',
  accountFailed: (name: string) => `${name} could not be read, so it is missing here`,
});

export const HOLDINGS = translated('HOLDINGS', {
  title: 'Holdings',
  filters: 'Filters',
  sort: 'Sort by',
  sorts: { value: 'Largest value', name: 'Name', gain: 'Largest gain', loss: 'Largest loss' },
  count: (count: number) => counted(count, 'holding', 'holdings'),
  none: 'No holdings',
  noneText: 'The broker lists no holdings in these accounts. Cash is not a holding.',
  inCurrency: (currency: string) => `Holdings in ${currency}`,
  value: 'Market value',
  gain: 'Unrealised gain',
  loss: 'Unrealised loss',
  even: 'Gain or loss',
  unknownValues: (count: number) =>
    `${counted(count, 'holding has', 'holdings have')} no value at the broker and ${count === 1 ? 'is' : 'are'} not in the totals.`,
  unknownGains: (count: number) =>
    `${counted(count, 'holding has', 'holdings have')} no gain or loss at the broker.`,
  holding: 'Holding',
  quantity: 'Quantity',
  averagePrice: 'Average price',
  price: 'Price',
  account: 'Account',
  share: 'Share of value',
  unknown: 'Not reported',
  unnamed: 'Unnamed holding',
  refresh: 'Read again',
});

export const ALLOCATION = translated('ALLOCATION', {
  title: 'Allocation',
  by: 'Put together by',
  choices: { position: 'Position', type: 'Type', account: 'Account', currency: 'Currency' },
  types: {
    stock: 'Shares',
    adr: 'Depositary receipts',
    etf: 'Exchange-traded funds',
    mutual_fund: 'Mutual funds',
    closed_end_fund: 'Closed-end funds',
    crypto: 'Cryptocurrencies',
    option: 'Options',
    future: 'Futures',
    cfd: 'Contracts for difference',
    other: 'Other',
    unknown: 'Type not reported',
  },
  label: (by: string, currency: string) => `Allocation by ${by.toLowerCase()}, in ${currency}`,
  inCurrency: (currency: string) => `In ${currency}`,
  others: (count: number) => counted(count, 'other', 'others'),
  value: 'Value',
  share: 'Share',
  apart: 'Currencies stand apart where the operator has set no exchange rate between them.',
  rates: (rates: readonly string[]) => `Converted at ${listText(rates)}, set by the operator.`,
});

export const TRADES = translated('TRADES', {
  title: 'Trades',
  filters: 'Filters',
  from: 'From',
  to: 'To',
  type: 'Type',
  types: {
    all: 'All types',
    buy: 'Buy',
    sell: 'Sell',
    dividend: 'Dividend',
    split: 'Split',
    transfer: 'Transfer',
    fee: 'Fee',
    interest: 'Interest',
    other: 'Other',
  },
  rows: (count: number) => counted(count, 'trade', 'trades'),
  quantityAt: (quantity: string, price: string) => `${quantity} at ${price}`,
  fees: (fees: string) => `Fees ${fees}`,
  settles: (day: string) => `Settles ${day}`,
  noAmount: 'No amount',
  older: 'Search older trades',
  loading: 'Loading older trades…',
  end: 'No older trades in this period',
  none: 'No trades in this period',
  noneText: 'Choose earlier days, or another account.',
  unmatched: 'No trade matches',
  unmatchedText: 'Choose another type or account.',
  moreFailed: 'Older trades could not be loaded',
});
