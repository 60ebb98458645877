import { InvalidArguments } from './tool.ts';

const findChargePrompt: Prompt = {
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

const monthlySummaryPrompt: Prompt = {
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

const setUpSyncPrompt: Prompt = {
  name: 'set_up_sync',
  title: 'Set up a sync',
  description: 'Chooses accounts and a destination, and copies transactions there on a schedule.',
  arguments: [
    { name: 'destination', description: 'Where to: a spreadsheet, a webhook, …', required: false },
    { name: 'accounts', description: 'Names of the accounts; asked for when absent.', required: false },
  ],
  text: (
    given,
  ) => `Set up a sync of my transactions${given.has('destination') ? ` to ${given.get('destination')}` : ''}.

1. Call list_accounts_v2${given.has('accounts') ? ` and pick: ${given.get('accounts')}` : ' and ask me which accounts'}.
2. Call list_destinations. If none fits, call create_destination_link, show me its url, and poll get_destination_link until it is completed. Where the destination is a draft, call list_destination_resources and update_destination with a target, or create_destination_target.
3. Tell me accounts, destination, first day and schedule, and wait until I agree.
4. Call create_sync with run_now false, then dry_run_sync, and show me what it would write.
5. Call run_sync when I agree, poll get_sync_run until it has ended, and say what was written and what failed.`,
};

/** Every prompt, in the order in which clients see them. */
export const PROMPTS: readonly Prompt[] = [monthlySummaryPrompt, findChargePrompt, setUpSyncPrompt];

const MOST_CHARACTERS = 500;

/** The text of a prompt. Raises InvalidArguments for a name or an argument that is not there, is missing or too long. */
export function promptText(
  name: string,
  args: Readonly<Record<string, string>>,
): { readonly prompt: Prompt; readonly text: string } {
  const prompt = PROMPTS.find((one) => one.name === name);
  if (prompt === undefined) throw new InvalidArguments('There is no prompt of this name.', 'name');
  const given = new Map(Object.entries(args));
  for (const [argument, text] of given) {
    if (!prompt.arguments.some((one) => one.name === argument)) {
      throw new InvalidArguments('The prompt has no argument of this name.', argument.slice(0, 100));
    }
    if (text.length > MOST_CHARACTERS) {
      throw new InvalidArguments(`${argument} has more than ${MOST_CHARACTERS} characters.`, argument);
    }
  }
  const missing = prompt.arguments.find((one) => one.required && !given.has(one.name));
  if (missing !== undefined) throw new InvalidArguments(`${missing.name} is required.`, missing.name);
  return { prompt, text: prompt.text(given) };
}

/** A task that a person picks in their client; the client sends its text to the model. */
interface Prompt {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: readonly PromptArgument[];
  /** What the model is asked to do. `given` holds text for arguments alone, and every required one. */
  readonly text: (given: ReadonlyMap<string, string>) => string;
}

interface PromptArgument {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
}
