import type { Prompt } from './prompt.ts';

export const findChargePrompt: Prompt = {
  name: 'find_charge',
  title: 'Find a charge',
  description: 'Looks for a payment by what is known of it: a name, an amount, a day.',
  arguments: [
    { name: 'what', description: 'Name, amount or day, as far as it is known.', required: true },
    { name: 'account', description: 'Name or last digits of the account, where known.', required: false },
  ],
  text: (given) => `Find this charge: ${given.get('what') ?? ''}

1. Call list_accounts${given.has('account') ? ` and pick the account that fits "${given.get('account')}"` : ''}.
2. Call list_transactions for each account that can have it. Begin with the last 30 days; go back 90 days at a time, at most two years, until something fits.
3. Compare merchant, description and amount. Banks abbreviate names, and a charge may be posted days after it was made.
4. Show each row that fits with its day, amount, account and description, the best first, and say why it fits.`,
};
