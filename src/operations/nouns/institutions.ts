import type { Static } from 'typebox';
import type { institutionSchema } from '../schemas/institutions.ts';
import { EXAMPLE_INSTITUTION, EXAMPLE_PROVIDER } from './example-values.ts';
import type { Noun } from './noun.ts';

const institution: Static<typeof institutionSchema> = {
  ...EXAMPLE_INSTITUTION,
  object: 'institution',
  provider: EXAMPLE_PROVIDER,
  short_name: 'Wattle',
  available: true,
  status: 'ONLINE',
};

export const institutionsNoun: Noun = {
  tag: 'institutions',
  description: 'Banks that can be linked, with their availability now.',
  resources: {
    institution: {
      description:
        'A bank. `available` with status OUTAGE is normal during an outage: a session is created, and consent may not complete until the bank recovers.',
      fields: {
        logo: 'Address of a picture: the logo of the provider, or one with the initials that the service makes.',
        available: 'Whether the service offers the bank for linking at all.',
        status: 'What the provider reports now; null when unknown.',
      },
      example: institution,
    },
  },
  operations: {},
};
