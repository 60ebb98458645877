import type { Static } from 'typebox';
import type { consentSchema } from '../schemas/consents.ts';
import { EXAMPLE_CREATED, EXAMPLE_PROVIDER, exampleId } from './example-values.ts';
import type { Noun } from './noun.ts';

const consent: Static<typeof consentSchema> = {
  id: exampleId('consent'),
  object: 'consent',
  connection: exampleId('connection'),
  provider: EXAMPLE_PROVIDER,
  status: 'active',
  purpose: 'Budgeting',
  data_categories: ['accounts', 'balances', 'transactions'],
  granted_at: EXAMPLE_CREATED,
  expires_at: '2027-11-02T03:14:15.926Z',
  withdrawn_at: null,
  termination_reason: null,
  livemode: true,
  created: EXAMPLE_CREATED,
  updated: EXAMPLE_CREATED,
};

export const consentsNoun: Noun = {
  tag: 'consents',
  description: 'What people allowed, when it ends and how it ended.',
  resources: {
    consent: {
      description: 'The record of a consent. It outlives its connection.',
      fields: { expires_at: 'null for brokerage, whose consents do not expire.' },
      example: consent,
    },
  },
  operations: {},
};
