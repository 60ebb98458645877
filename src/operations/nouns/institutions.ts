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
        logo: 'https address of a picture; empty where the provider has none that can be shown.',
        available: 'Whether the service offers the bank for linking at all.',
        status: 'What the provider reports now; null when unknown.',
      },
      example: institution,
    },
  },
  operations: {},
};
