import type { Prompt } from './prompt.ts';

export const monthlySummaryPrompt: Prompt = {
  name: 'monthly_summary',
  title: 'Summarise a month',
  description: 'What came in, what went out and on what, in one month, over all bank accounts.',
  arguments: [{ name: 'month', description: 'YYYY-MM; the last whole month when absent.', required: false }],
  text: (given) => `Summarise ${given.get('month') ?? 'the last whole month'} of my money.

1. Call list_accounts, and list_transactions for each bank account with from and to set to the first and last day of the month. Follow pagination until hasMore is false.
2. Leave out transfers between my own accounts: the same amount in and out within three days, or category TRANSFER_IN or TRANSFER_OUT.
3. Show income, spending and the difference for each currency, the five largest categories with their share, and the five largest single payments.
4. Say what you could not read. Do not guess amounts.`,
};
