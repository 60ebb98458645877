import type { Static } from 'typebox';
import type { simplefinSetupTokenSchema } from '../schemas/simplefin-setup-tokens.ts';
import { EXAMPLE_CREATED, exampleId } from './example-values.ts';
import type { Noun } from './noun.ts';

const token: Static<typeof simplefinSetupTokenSchema> = {
  id: exampleId('simplefin_setup_token'),
  object: 'simplefin_setup_token',
  name: 'Actual on the home server',
  two_decimals: true,
  leave_out_extra: false,
  setup_token: null,
  status: 'open',
  expires_at: '2026-11-09T03:14:15.926Z',
  claimed_at: null,
  app: null,
  livemode: true,
  created: EXAMPLE_CREATED,
  updated: EXAMPLE_CREATED,
};
/** The Base64 of https://hub.example.com/simplefin/claim/EXAMPLE. */
const setupToken = 'aHR0cHM6Ly9odWIuZXhhbXBsZS5jb20vc2ltcGxlZmluL2NsYWltL0VYQU1QTEU=';

export const simplefinSetupTokensNoun: Noun = {
  tag: 'simplefin_setup_tokens',
  description: 'What a person pastes into a program to connect it over the SimpleFIN-compatible bridge.',
  resources: {
    simplefin_setup_token: {
      description: 'A token that one program claims once, within 7 days.',
      fields: {
        name: 'What the program that claims it is called.',
        two_decimals:
          'Whether that program is sent amounts rounded to two decimals, until the app is changed.',
        leave_out_extra:
          'Whether that program is sent no `extra` of accounts and transactions, until the app is changed.',
        setup_token: 'The text to paste; only in the answer that creates the token.',
        app: 'The app that claimed it.',
      },
      example: token,
    },
  },
  operations: {
    create_simplefin_setup_token: {
      description:
        'Paste the text of `setup_token` into the program; it cannot be shown again. The calling key must hold data:read as well, and must be restricted neither by allowed_ips nor by expires_at.',
      sent: {
        name: 'What to call the program.',
        two_decimals:
          'true for programs that take the last two digits of an amount for cents, such as Actual Budget. Without it, amounts are exact, with at least two decimals.',
        leave_out_extra:
          'true for programs that are to be sent no `extra` of accounts and transactions, which holds ids and categories.',
      },
      body: { name: 'Actual on the home server', two_decimals: true },
      answer: { ...token, setup_token: setupToken },
    },
    revoke_simplefin_setup_token: {
      description: 'Nobody can claim it any more. An app that has claimed it is revoked as well.',
    },
  },
};
