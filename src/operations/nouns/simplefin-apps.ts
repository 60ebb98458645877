import type { Static } from 'typebox';
import type { simplefinAppSchema } from '../schemas/simplefin-apps.ts';
import { EXAMPLE_CREATED, EXAMPLE_UPDATED, exampleId } from './example-values.ts';
import type { Noun } from './noun.ts';

const app: Static<typeof simplefinAppSchema> = {
  id: exampleId('simplefin_app'),
  object: 'simplefin_app',
  name: 'Actual on the home server',
  two_decimals: true,
  leave_out_extra: false,
  setup_token: exampleId('simplefin_setup_token'),
  status: 'active',
  last_used_at: EXAMPLE_UPDATED,
  revoked_at: null,
  livemode: true,
  created: EXAMPLE_CREATED,
  updated: EXAMPLE_CREATED,
};

export const simplefinAppsNoun: Noun = {
  tag: 'simplefin_apps',
  description: 'Programs that read banking data over the SimpleFIN-compatible bridge.',
  resources: {
    simplefin_app: {
      description: 'A program that has claimed a setup token and has credentials of its own for the bridge.',
      fields: {
        name: 'The name of its setup token, until it is renamed.',
        two_decimals:
          'Whether it is sent amounts rounded to two decimals. Otherwise they are exact, with at least two decimals.',
        leave_out_extra: 'Whether it is sent no `extra` of accounts and transactions.',
        setup_token: 'The setup token it has claimed.',
        last_used_at: 'When it last used its credentials, to within seconds.',
      },
      example: app,
    },
  },
  operations: {
    update_simplefin_app: {
      description: 'What the app asks for from now on is answered by the change.',
      sent: {
        two_decimals: 'true for apps that take the last two digits of an amount for cents.',
        leave_out_extra: 'true for apps that are to be sent no `extra`, which holds ids and categories.',
      },
      body: { name: 'Actual on the laptop', two_decimals: true },
    },
    revoke_simplefin_app: { description: 'Other apps and API keys go on. A revoked app stays listed.' },
  },
};
