import type { Static } from 'typebox';
import type { destinationLinkSchema } from '../schemas/destination-links.ts';
import { EXAMPLE_CREATED, exampleId } from './example-values.ts';
import type { Noun } from './noun.ts';

const link: Static<typeof destinationLinkSchema> = {
  id: exampleId('destination_link'),
  object: 'destination_link',
  type: 'sheets',
  status: 'pending',
  url: 'https://hub.invalid/destination-link/EXAMPLE',
  destination: null,
  return_url: 'https://app.invalid/connected',
  failure_reason: null,
  expires_at: '2026-11-02T03:44:15.926Z',
  completed_at: null,
  livemode: true,
  created: EXAMPLE_CREATED,
  updated: EXAMPLE_CREATED,
};

export const destinationLinksNoun: Noun = {
  tag: 'destination_links',
  description:
    'Connecting a spreadsheet, a database or a budgeting app: create a link, send the person to its url, read it until it leaves pending.',
  resources: {
    destination_link: {
      description: "One person's authorisation at a vendor's sign-in. It lives 30 minutes.",
      fields: {
        url: 'The hosted page to send the person to.',
        destination: 'Once completed: the draft destination, which needs a target, or the one linked again.',
        return_url: 'Where the person is sent afterwards.',
        failure_reason: 'Why it failed, once it has.',
      },
      example: link,
    },
  },
  operations: {
    create_destination_link: {
      description: 'With `destination`, that one is linked again. A webhook is created directly instead.',
      body: { type: 'sheets', return_url: 'https://app.invalid/connected' },
    },
  },
};
