import { translated } from './translated.ts';
/** What pages say of their charts before those are loaded. */
export const CHARTS = translated('CHARTS', {
  period: 'Period',
  months: (count: number) => `${count} months`,
  worth: 'Net worth',
  worthHow:
    'Worked out from the balances now and transactions by the day they posted; banks do not report earlier balances.',
  budget: 'Income and spending',
  spending: 'Spending',
});
