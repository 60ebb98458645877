import type { Prompt } from './prompt.ts';

export const setUpSyncPrompt: Prompt = {
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
